import { expect, test } from "vitest";
import { type JsonShape, scanShape } from "./json-shape.ts";
import { NotJsonError } from "./not-json.ts";

function shapeOf(text: string | Buffer, cut = 3): JsonShape {
  const bytes = Buffer.from(text);
  const scan = scanShape();
  for (let at = 0; at < bytes.length; at += cut) scan.push(bytes.subarray(at, at + cut));
  return scan.end();
}

test("says where the first members of an object stand", () => {
  const text = '{"a": [1, {"x": 2}], "b\\"c":"d"}';
  const { kind, members } = shapeOf(text);
  expect(kind).toBe("object");
  const parts = members.map(({ key, value }) => [text.slice(key.start, key.end), text.slice(value.start, value.end)]);
  expect(parts).toEqual([
    ["a", '[1, {"x": 2}]'],
    ['b\\"c', '"d"'],
  ]);
});

test("remembers no more members than distinguish an envelope from a larger object", () => {
  const keys = Array.from({ length: 1000 }, (_, index) => `"k${index}":${index}`);
  expect(shapeOf(`{${keys.join()}}`).members).toHaveLength(6);
});

test.each([
  ['"a"', "string"],
  ["{}", "object"],
  ["[{}]", "other"],
  [" 12", "other"],
])("knows of which kind %s is", (text, kind) => {
  expect(shapeOf(text)).toMatchObject({ kind, members: [] });
});

test.each([
  ["", "it is empty"],
  ["  ", "it is not complete JSON"],
  ["[1", "it is not complete JSON"],
  ["[1 2]", "it is not JSON (at byte 3)"],
  ['"\u0001"', "it is not JSON (a control character at byte 1)"],
  ['"\\x"', "it is not JSON (an unknown escape at byte 2)"],
  ['"\\u00g0"', "it is not JSON (an unknown escape at byte 5)"],
  [Buffer.from([0x22, 0xc0, 0x80, 0x22]), "it is not UTF-8 (at byte 1)"],
  [Buffer.from([0x22, 0xe9, 0x22]), "it is not UTF-8 (at byte 2)"],
  ["[".repeat(1025), "it nests deeper than 1024 levels"],
])("says what is wrong with %j", (text, message) => {
  expect(() => shapeOf(text)).toThrow(new NotJsonError(message));
});
