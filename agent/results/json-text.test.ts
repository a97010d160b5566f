import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonTextDecoder } from "./json-text.ts";
import { NotJsonError } from "./not-json.ts";

function decode(inside: string, cut: number): string {
  const decoder = jsonTextDecoder();
  const bytes = Buffer.from(inside);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += cut) parts.push(Buffer.from(decoder.push(bytes.subarray(at, at + cut))));
  decoder.end();
  return Buffer.concat(parts).toString("utf8");
}

/** Every character escaped, surrogates as pairs. */
function escaped(text: string): string {
  return [...text]
    .flatMap((character) => [...Array(character.length).keys()].map((at) => character.charCodeAt(at)))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}

test("decodes any JSON string to its text, however it is cut", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 9 }), fc.boolean(), (text, cut, all) => {
      const inside = all ? escaped(text) : JSON.stringify(text).slice(1, -1);
      expect(decode(inside, cut)).toBe(JSON.parse(`"${inside}"`));
    }),
  );
});

test("decodes the short escapes", () => {
  expect(decode('\\"\\\\\\/\\b\\f\\n\\r\\t', 1)).toBe('"\\/\b\f\n\r\t');
});

test.each(["\\ud800", "\\ud800x", "\\ud800\\n", "\\udc00", "\\ud800\\ud800"])(
  "refuses half of a surrogate pair: %s",
  (inside) => {
    expect(() => decode(inside, 1)).toThrow(NotJsonError);
    expect(() => decode(inside, 100)).toThrow(NotJsonError);
  },
);
