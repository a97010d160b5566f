import fc from "fast-check";
import { expect, test } from "vitest";
import { type GateOutcome, passGate, passGateNow } from "./json-gate.ts";

const INPUT = new Set(["input"]);

function gate(text: string | Buffer): GateOutcome {
  return passGateNow(Buffer.from(text), INPUT);
}

function inputOf(text: string): string | null {
  const outcome = gate(text);
  if (outcome.kind === "refused") throw new Error(outcome.detail);
  const span = outcome.found.get("input");
  return span === undefined ? null : Buffer.from(text).subarray(span.start, span.end).toString("utf8");
}

function codeOf(text: string | Buffer): string | null {
  const outcome = gate(text);
  return outcome.kind === "refused" ? outcome.code : null;
}

test("the value of input is found to the byte, whatever it holds and wherever it stands", () => {
  const value = '{"n":12345678901234567890,"a":1,"a":2,"x":1e400}';
  expect(inputOf(`{"input":${value}}`)).toBe(value);
  expect(inputOf(`{"before":[1,{"input":2}], "input" :\n\t ${value}\r\n ,"after":null}`)).toBe(value);
  expect(inputOf(`{"\\u0069nput":[]}`)).toBe("[]");
  expect(inputOf('{"input":-0.5E+3}')).toBe("-0.5E+3");
  expect(inputOf('{"input":  true  }')).toBe("true");
  expect(inputOf('{"input":"é\\ud800"}')).toBe('"é\\ud800"');
  expect(inputOf('{"other":{"input":1}}')).toBeNull();
  expect(inputOf("{}")).toBeNull();
});

test("the values of several keys are found, wherever they stand, and no others", () => {
  const text = '{"limits": {"a":1} ,"x":{"input":2},"input":3,"y":4}';
  const outcome = passGateNow(Buffer.from(text), new Set(["input", "limits", "priority"]));
  if (outcome.kind === "refused") throw new Error(outcome.detail);
  const found = [...outcome.found].map(([key, { start, end }]) => [key, text.slice(start, end)]);
  expect(found).toEqual([
    ["limits", '{"a":1}'],
    ["input", "3"],
  ]);
});

test("each refusal has its code", () => {
  expect(codeOf("")).toBe("not_json");
  expect(codeOf("[1]")).toBe("not_an_object");
  expect(codeOf("7")).toBe("not_an_object");
  expect(codeOf('"input"')).toBe("not_an_object");
  expect(codeOf('{"input":1,"input":2}')).toBe("duplicate_key");
  expect(codeOf('{"a":1,"input":1,"\\u0061":2}')).toBe("duplicate_key");
  expect(codeOf('{"input":{"a":1,"a":2}}')).toBeNull();
  expect(codeOf('\ufeff{"input":1}')).toBe("not_json");
  expect(codeOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe("not_utf8");
  expect(codeOf(Buffer.concat([Buffer.from('{"input":1} x '), Buffer.from([0xff])]))).toBe("not_utf8");
  expect(codeOf(Buffer.from('{"input":1}', "utf16le"))).toBe("not_json");
  const keys = Array.from({ length: 257 }, (_, index) => `"k${index}":1`);
  expect(codeOf(`{${keys.join(",")}}`)).toBe("too_many_keys");
});

test("a top-level key of 1 KiB passes and a longer one does not; below the top they are as long as they like", () => {
  const key = (bytes: number) => `"${"k".repeat(bytes)}":1`;
  expect(codeOf(`{${key(1024)}}`)).toBeNull();
  expect(codeOf(`{${key(1025)}}`)).toBe("key_too_long");
  expect(codeOf(`{"input":{${key(100_000)}}}`)).toBeNull();
});

test("NaN, comments, trailing commas, two documents and bare words are not JSON", () => {
  for (const input of [
    "NaN",
    "Infinity",
    "01",
    "1.",
    ".5",
    "+1",
    "1e",
    "'a'",
    "tru",
    "[1,]",
    "{,}",
    '{"a":1,}',
    "0x1",
  ]) {
    expect(codeOf(`{"input":${input}}`)).toBe("not_json");
  }
  for (const text of ['{"input":1}{}', '{"input":1} x', '{"input":1', '{"input"}', '{"input":1]', '{/**/"input":1}']) {
    expect(codeOf(text)).toBe("not_json");
  }
  expect(codeOf('{"input":"a\nb"}')).toBe("not_json");
  expect(codeOf('{"input":"a\u0000b"}')).toBe("not_json");
});

test("64 levels pass, 65 and a million do not", () => {
  const nested = (levels: number) => `{"input":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(codeOf(nested(63))).toBeNull();
  expect(codeOf(nested(64))).toBe("too_deep");
  expect(codeOf(nested(1_000_000))).toBe("too_deep");
});

/** JSON text with white space, escapes and numbers as a person or a library may write them. */
const jsonText = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("null", "true", "false", "-0", "1E400", "12345678901234567890", "0.10", "1e-7"),
    fc.json({ depthSize: "small" }),
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(" ,\n")}]`),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom("a", "b", "input", "__proto__", "é", "\\u0061"), tie("value")), { maxLength: 4 })
    .map((members) => `{ ${members.map(([key, value]) => `"${key}"\t:${value}`).join(", ")} }`),
})).object;

const mutation = fc.tuple(
  fc.nat(),
  fc.constantFrom("", '"', "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "\u0001", " ", "n", "\ud800", "é"),
  fc.nat(2),
);

test("it takes exactly what JSON.parse takes, where no top-level key stands twice", () => {
  const mutated = fc.tuple(jsonText, fc.array(mutation, { maxLength: 2 })).map(([text, changes]) =>
    changes.reduce((before, [at, insert, drop]) => {
      const where = at % (before.length + 1);
      return before.slice(0, where) + insert + before.slice(where + drop);
    }, text),
  );
  fc.assert(
    fc.property(mutated, (text) => {
      // As UTF-8 a lone surrogate becomes U+FFFD, and so it does for both.
      const bytes = Buffer.from(text);
      const outcome = gate(bytes);
      if (outcome.kind === "refused" && (outcome.code === "duplicate_key" || outcome.code === "too_deep")) return;
      const parsed = parse(bytes.toString("utf8"));
      const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
      expect(outcome.kind === "passed").toBe(isObject);
      if (outcome.kind !== "passed") return;
      const span = outcome.found.get("input");
      expect(span !== undefined).toBe(Object.hasOwn(parsed as object, "input"));
      if (span === undefined) return;
      const cut = bytes.subarray(span.start, span.end).toString("utf8");
      expect(cut).toBe(cut.trim());
      expect(JSON.parse(cut)).toEqual((parsed as { input: unknown }).input);
    }),
    { numRuns: 5000 },
  );
});

test("it says the same of a large body in slices as in one go", async () => {
  const space = " ".repeat(400_000);
  for (const text of [
    `{${space}"input"${space}:[1${space}]${space},"a":"${"é".repeat(400_001)}"}`,
    `{"a":1${space}} x`,
  ]) {
    const bytes = Buffer.from(text);
    expect(await passGate(bytes, INPUT)).toEqual(passGateNow(bytes, INPUT));
  }
});

test("a body of 10 MiB never takes 50 ms of the event loop in one go", async () => {
  const bodies = [
    `{"input":"${"x".repeat(10 << 20)}"}`,
    `{"input":[${"1,".repeat(5 << 20)}1]}`,
    `{"input":[${'"\\u0061",'.repeat(1 << 20)}1]}`,
    `{"input":1${" ".repeat(10 << 20)}}`,
    `{"input":[${"[],".repeat(3 << 20)}1]}`,
  ].map((text) => Buffer.from(text));
  for (const body of bodies) {
    let last = threadCpuMs();
    let longestMs = 0;
    let running = true;
    const tick = () => {
      const now = threadCpuMs();
      longestMs = Math.max(longestMs, now - last);
      last = now;
      if (running) setImmediate(tick);
    };
    setImmediate(tick);
    expect((await passGate(body, INPUT)).kind).toBe("passed");
    running = false;
    expect(longestMs).toBeLessThan(50);
  }
});

/** Of this thread alone: what else runs on the machine does not count. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
