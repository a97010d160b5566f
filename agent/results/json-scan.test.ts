import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonScan, type JsonShape } from "./json-scan.ts";
import { NotJsonError } from "./not-json.ts";

function scan(bytes: Buffer, cut: number = bytes.length): JsonShape {
  const json = new JsonScan();
  for (let at = 0; at < bytes.length; at += Math.max(1, cut)) json.push(bytes.subarray(at, at + Math.max(1, cut)));
  return json.end();
}

function isJson(text: string | Buffer): boolean {
  try {
    scan(Buffer.from(text));
    return true;
  } catch (error) {
    if (error instanceof NotJsonError) return false;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("the JSON scan", () => {
  test("takes every JSON text, however it is cut, and knows where its value stands", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(7), fc.constantFrom("", " ", "\n\t "), (text, cut, blank) => {
        const shape = scan(Buffer.from(blank + text + blank), cut);
        expect(shape.value).toEqual({ start: blank.length, end: blank.length + Buffer.byteLength(text) });
      }),
    );
  });

  test("agrees with JSON.parse on what is JSON, for texts that nearly are", () => {
    const nearly = fc
      .tuple(fc.json(), fc.nat(40), fc.constantFrom(...'{}[]",:0123456789.-+eE\\u/ntf \x01'))
      .map(
        ([text, at, byte]) => text.slice(0, at % (text.length + 1)) + byte + text.slice((at % (text.length + 1)) + 1),
      );
    fc.assert(
      fc.property(nearly, (text) => {
        expect(isJson(text)).toBe(parses(text));
      }),
      { numRuns: 3_000 },
    );
  });

  test("agrees with the strict decoder on what is UTF-8", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6, min: 0x23 }), (inside) => {
        const bytes = Buffer.concat([
          Buffer.from('"'),
          Buffer.from(inside).filter((byte) => byte !== 0x5c),
          Buffer.from('"'),
        ]);
        let utf8 = true;
        try {
          new TextDecoder("utf-8", { fatal: true }).decode(bytes);
        } catch {
          utf8 = false;
        }
        expect(isJson(Buffer.from(bytes))).toBe(utf8);
      }),
      { numRuns: 5_000 },
    );
  });

  test("keeps numbers as they are, of any size", () => {
    expect(isJson('{"n":12345678901234567890,"a":1,"a":2,"x":1e400}')).toBe(true);
  });

  test.each([
    "",
    " ",
    "01",
    "1.",
    "-",
    "+1",
    "1e",
    ".5",
    "nul",
    "nulll",
    "[1,]",
    "{,}",
    '{"a"}',
    "[1 2]",
    "1 2",
    '"\u0001"',
    "NaN",
    "\ufeff1",
  ])("refuses %j", (text) => {
    expect(isJson(text)).toBe(false);
  });

  test("refuses what nests too deep, without using the stack", () => {
    expect(isJson("[".repeat(1024) + "]".repeat(1024))).toBe(true);
    expect(isJson("[".repeat(1_000_000))).toBe(false);
  });

  test("says where the first members of an object stand", () => {
    const text = '{"a": [1, {"x": 2}], "b\\"c":"d"}';
    const { kind, members } = scan(Buffer.from(text), 3);
    expect(kind).toBe("object");
    const parts = members.map(({ key, value }) => [text.slice(key.start, key.end), text.slice(value.start, value.end)]);
    expect(parts).toEqual([
      ["a", '[1, {"x": 2}]'],
      ['b\\"c', '"d"'],
    ]);
  });
});
