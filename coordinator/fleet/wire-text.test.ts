import fc from "fast-check";
import { expect, test } from "vitest";
import { headOf, nameOf, tailOf } from "./wire-text.ts";

const anyText = fc.string({ unit: "binary", maxLength: 300 });

test("whatever comes, it takes no more bytes in a record than allowed", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 8, max: 200 }), (text, bytesMax) => {
      for (const cut of [headOf(text, bytesMax), nameOf(text, bytesMax), tailOf(text, bytesMax)]) {
        expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(bytesMax + 2);
        expect(cut.isWellFormed()).toBe(true);
      }
    }),
  );
});

test("leaves plain text that fits as it is", () => {
  expect(headOf("line\n\ttabbed é", 100)).toBe("line\n\ttabbed é");
  expect(tailOf("line\n\ttabbed é", 100)).toBe("line\n\ttabbed é");
});

test("cuts longer text to its beginning or its end", () => {
  expect(headOf("0123456789", 4)).toBe("0123");
  expect(tailOf("0123456789", 4)).toBe("6789");
});

test("strips from a name what moves a cursor, breaks a line or turns the direction of writing", () => {
  expect(nameOf("gpu\u001b[31m-\u009b1A7\n\t\u202e\u2066x\u2028\u0085é", 100)).toBe("gpu[31m-1A7xé");
});
