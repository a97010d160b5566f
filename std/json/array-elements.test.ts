import fc from "fast-check";
import { expect, test } from "vitest";
import { arrayElements } from "./array-elements.ts";

function elements(text: string, from = 0, to = Buffer.byteLength(text)): readonly string[] {
  const bytes = Buffer.from(text);
  return [...arrayElements(bytes, { start: from, end: to })].map(({ start, end }) =>
    bytes.toString("utf8", start, end),
  );
}

test("finds every element of an array byte for byte, whatever is nested in it and around it", () => {
  const blank = fc.constantFrom("", " ", "\n\t\r ");
  const element = fc.oneof(
    fc.json(),
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
  );
  fc.assert(
    fc.property(fc.array(element, { maxLength: 5 }), blank, fc.constantFrom("", '{"a":'), (texts, space, before) => {
      const array = `[${space}${texts.join(`${space},${space}`)}${space}]`;
      const from = Buffer.byteLength(before);
      // As JSON.stringify writes it, without white space around it.
      expect(elements(`${before}${array},1]`, from, from + Buffer.byteLength(array))).toEqual(
        texts.map((text) => text.trim()),
      );
    }),
  );
});

test.each([
  ["[]", []],
  ["[ \n ]", []],
  ['["\\\\",2]', ['"\\\\"', "2"]],
  ['["\\",]",[1,[2,3]],{"a,":[4]}]', ['"\\",]"', "[1,[2,3]]", '{"a,":[4]}']],
])("takes %s apart", (text, expected) => {
  expect(elements(text)).toEqual(expected);
});
