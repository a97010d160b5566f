import fc from "fast-check";
import { expect, test } from "vitest";
import { instantOf, timestamp } from "./timestamp.ts";

test("a timestamp is that of its second, whichever were written before", () => {
  const instants = fc.array(fc.integer({ min: -1e12, max: 4e12 }), { minLength: 1 });
  fc.assert(
    fc.property(instants, (written) => {
      // Those of one second, and of its neighbours, are written one after the other.
      for (const instant of written.flatMap((at) => [at, at + 1, at, at + 999, at + 1000])) {
        expect(timestamp(instant)).toBe(new Date(instant).toISOString().slice(0, 19));
        expect(instantOf(timestamp(instant))).toBe(Math.floor(instant / 1000) * 1000);
      }
    }),
  );
});
