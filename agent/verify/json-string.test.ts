import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeChunk, escapedBytes } from "./json-string.ts";

test("text in any chunks becomes a JSON string that says just that text", () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom('"', "\\", "\n", "\t", "\u0000", "\u001f", "é", "🙂"), fc.string()),
  });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 7 }), (said, size) => {
      const whole = Buffer.from(said.toWellFormed());
      const chunks: Buffer[] = [];
      for (let at = 0; at < whole.length; at += size) chunks.push(whole.subarray(at, at + size));
      const escaped = chunks.map(escapeChunk);
      expect(JSON.parse(`"${Buffer.concat(escaped).toString("utf8")}"`)).toBe(said.toWellFormed());
      expect(chunks.map(escapedBytes)).toEqual(escaped.map(({ length }) => length));
    }),
  );
});

test("what needs no escape is not copied", () => {
  const chunk = Buffer.from("AA==");
  expect(escapeChunk(chunk)).toBe(chunk);
});
