import fc from "fast-check";
import { expect, test } from "vitest";
import { hasRepeatedMember } from "./repeated-member.ts";

function repeated(text: string): boolean {
  return hasRepeatedMember(text, JSON.parse(text));
}

test.each([
  '{"a":1,"a":1}',
  '{"a":{"b":1,"b":2}}',
  '{"a":[{"b" : 1,"\\u0062"\n:2}]}',
  '{"__proto__":1,"__proto__":2}',
  '{"":1,"":2}',
])("a name that stands twice is found in %s", (text) => {
  expect(repeated(text)).toBe(true);
});

test.each([
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":1}]',
  '{"a":"b\\":\\"c","b":"{\\"a\\":1}"}',
  '{"a\\\\":"\\\\","a":":"}',
  '{"__proto__":{"__proto__":1}}',
  "1",
  '"a"',
])("and in %s there is none", (text) => {
  expect(repeated(text)).toBe(false);
});

test("what was written from a value has none, whatever is in its texts", () => {
  const value = fc.object({ key: fc.string({ unit: "grapheme" }), values: [fc.string(), fc.constant('":"')] });
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1), (one, indent) => {
      expect(repeated(JSON.stringify(one, null, indent))).toBe(false);
    }),
  );
});
