import fc from "fast-check";
import { expect, test } from "vitest";
import { completeLength } from "./complete-length.ts";

test("ends before a character that is only begun, wherever the text is cut", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 200 }), (text, at) => {
      const bytes = Buffer.from(text.toWellFormed());
      const cut = bytes.subarray(0, at);
      const complete = completeLength(cut);
      expect(text.toWellFormed().startsWith(cut.toString("utf8", 0, complete))).toBe(true);
      expect(cut.length - complete).toBeLessThan(4);
    }),
  );
});

test("keeps no bytes back that are no UTF-8", () => {
  expect(completeLength(Buffer.from([0x61, 0x80, 0x80, 0x80, 0x80]))).toBe(5);
  expect(completeLength(Buffer.from([]))).toBe(0);
});
