import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonFault, JsonScanner, type Span } from "./json-scanner.ts";

interface Scanned {
  readonly fault: JsonFault | null;
  readonly value: Span;
  readonly members: readonly { readonly key: string; readonly value: string }[];
}

function scan(text: string | Buffer, cut: number = text.length, depthMax = 64): Scanned {
  const bytes = Buffer.from(text);
  const keys: Span[] = [];
  const values: Span[] = [];
  const listener = {
    begin: () => true,
    key: (key: Span) => keys.push(key) > 0,
    member: (value: Span) => void values.push(value),
  };
  const scanner = new JsonScanner({ listener, depthMax });
  const step = Math.max(1, cut);
  for (let at = 0; at < bytes.length; at += step) scanner.push(bytes.subarray(at, at + step));
  const fault = scanner.end();
  const textOf = (span: Span | undefined) => bytes.subarray(span?.start, span?.end).toString("utf8");
  const members = values.map((value, index) => ({ key: textOf(keys[index]), value: textOf(value) }));
  return { fault, value: scanner.value, members };
}

function isJson(text: string | Buffer): boolean {
  return scan(text).fault === null;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON text with white space, escapes and numbers as a person or a library may write them. */
const { value: anyJson } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("null", "true", "false", "-0", "1E400", "12345678901234567890", "0.10", "1e-7", '"\\u00e9\\n"'),
    fc.json({ depthSize: "small" }),
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(" ,\n")}]`),
    fc
      .array(fc.tuple(fc.constantFrom("a", "é", "\\u0061"), tie("value")), { maxLength: 4 })
      .map((members) => `{ ${members.map(([key, value]) => `"${key}"\t:${value} `).join(", ")} }`),
  ),
}));

test("takes every JSON text, however it is cut, and knows where its value stands", () => {
  fc.assert(
    fc.property(anyJson, fc.nat(7), fc.constantFrom("", " ", "\n\t "), (text, cut, blank) => {
      const { fault, value } = scan(blank + text + blank, cut);
      expect(fault).toBeNull();
      expect(value).toEqual({ start: blank.length, end: blank.length + Buffer.byteLength(text) });
    }),
    { numRuns: 1_000 },
  );
});

test("agrees with JSON.parse on what is JSON, for texts that nearly are", () => {
  const damage = fc.tuple(fc.nat(), fc.constantFrom("", ...'{}[]",:0123456789.-+eE\\u/ntf \x01é'), fc.nat(2));
  const nearly = fc.tuple(anyJson, damage).map(([text, [at, insert, drop]]) => {
    const where = at % (text.length + 1);
    return text.slice(0, where) + insert + text.slice(where + drop);
  });
  fc.assert(
    fc.property(nearly, (text) => {
      expect(isJson(text)).toBe(parses(text));
    }),
    { numRuns: 5_000 },
  );
});

test("says the same of a text in pieces of any size as in one go", () => {
  fc.assert(
    fc.property(anyJson, fc.nat(), fc.integer({ min: 1, max: 7 }), (text, drop, cut) => {
      const damaged = text.slice(0, drop % (text.length + 1));
      expect(scan(damaged, cut)).toEqual(scan(damaged));
    }),
  );
});

test("agrees with the strict decoder on what is UTF-8", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 6, min: 0x23 }), fc.boolean(), (inside, asKey) => {
      const bytes = Buffer.from(inside).filter((byte) => byte !== 0x5c);
      const [before, after] = asKey ? ['[{"', '":1}]'] : ['"', '"'];
      let utf8 = true;
      try {
        new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      } catch {
        utf8 = false;
      }
      expect(isJson(Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]))).toBe(utf8);
    }),
    { numRuns: 5_000 },
  );
});

test("takes numbers of any size and keys that stand twice", () => {
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
  "1,2",
  "1]",
  "{}}",
  '{"a":1]',
  '{"a":1,}',
  "[1}",
  '"\u0001"',
  "NaN",
  "\ufeff1",
])("refuses %j", (text) => {
  expect(isJson(text)).toBe(false);
});

test("reports what is wrong, and at which byte", () => {
  expect(scan('{"a":tru}').fault).toEqual({ kind: "byte", at: 8 });
  expect(scan('{"a').fault).toEqual({ kind: "incomplete", at: 3 });
  expect(scan('["a\n"]').fault).toEqual({ kind: "control-character", at: 3 });
  expect(scan('{"\\x":1}').fault).toEqual({ kind: "escape", at: 3 });
  expect(scan('["\\u12"]').fault).toEqual({ kind: "escape", at: 6 });
  expect(scan(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])).fault).toEqual({ kind: "not-utf8", at: 2 });
});

test("goes as deep as it may, and of a million levels reads no more than that", () => {
  expect(scan("[".repeat(1024) + "]".repeat(1024), 100, 1024).fault).toBeNull();
  expect(scan("[".repeat(1_000_000), 1000, 64).fault).toEqual({ kind: "too-deep", at: 64 });
});

test("reports the members of the value, as they stand and without the space around them, and no others", () => {
  const { members } = scan('{"a": [1, {"x": 2}] , "b\\"c":"d","é":{"a":1},"n":-1.5e3\n}', 3);
  expect(members).toEqual([
    { key: "a", value: '[1, {"x": 2}]' },
    { key: 'b\\"c', value: '"d"' },
    { key: "é", value: '{"a":1}' },
    { key: "n", value: "-1.5e3" },
  ]);
  expect(scan('[{"a":1}]').members).toEqual([]);
});

test("stops where the listener wants nothing further", () => {
  const listener = { begin: (byte: number) => byte === 0x7b, key: ({ end }: Span) => end < 8, member: () => undefined };
  const stopped = (text: string) => new JsonScanner({ listener, depthMax: 64 }).push(Buffer.from(text));
  expect(stopped(" [1]")).toEqual({ kind: "stopped", at: 1 });
  expect(stopped('{"a":1,"b":2}')).toEqual({ kind: "stopped", at: 9 });
  expect(stopped('{"a":1}')).toBeNull();
});
