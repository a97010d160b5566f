import fc from "fast-check";
import { expect, test } from "vitest";
import { Problem } from "../problems/problem.ts";
import { passGateNow } from "./json-gate.ts";
import { checkedJson } from "./json-stream.ts";

/** The code of the refusal, or what came through. */
async function pass(bytes: Buffer, cut: number): Promise<string | Buffer> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += cut) yield bytes.subarray(at, at + cut);
  }
  try {
    const passed: Buffer[] = [];
    for await (const piece of checkedJson(pieces(), "The upload")) passed.push(piece);
    return Buffer.concat(passed);
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

test("what would pass as the value of input passes, byte for byte, however it is cut, and nothing else", async () => {
  const text = fc.oneof(
    fc.json({ noUnicodeString: false }),
    fc.string({ maxLength: 20 }),
    fc.constantFrom("", " ", "12", "1,2", '"a', "[1", "\ufeff1", '{"a":1,"a":2}', " [1] ", "1e400", '"\\ud800"'),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (value, cut) => {
      const bytes = Buffer.from(value);
      const inline = passGateNow(Buffer.from(`{"input":${value}}`), new Set(["input"]));
      const isOneValue = inline.kind === "passed" && bytes.length > 0 && isValue(value);
      const outcome = await pass(bytes, cut);
      expect(typeof outcome === "string" ? outcome : outcome.equals(bytes)).toEqual(isOneValue || expect.any(String));
    }),
    { numRuns: 500 },
  );
});

/** Within an object `1,"a":2` would pass too. */
function isValue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("each refusal has the code that it has inline", async () => {
  expect(await pass(Buffer.from(""), 1)).toBe("not_json");
  expect(await pass(Buffer.from('{"a":'), 2)).toBe("not_json");
  expect(await pass(Buffer.from([0x22, 0xff, 0x22]), 1)).toBe("not_utf8");
  expect(await pass(Buffer.from(`${"[".repeat(64)}${"]".repeat(64)}`), 7)).toBe("too_deep");
  expect(await pass(Buffer.from(`${"[".repeat(63)}${"]".repeat(63)}`), 7)).toEqual(expect.any(Buffer));
});
