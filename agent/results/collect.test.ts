import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { type Collected, collectResult } from "./collect.ts";
import { OutputTooLargeError } from "./output-too-large.ts";

afterAll(removeTemporaryFolders);

const TASK = "0123456789abcdef0123456789abcdef";
const LIMITS = { resultBytesMax: 4 * 1024 * 1024, inlineBytesMax: 4096 };

async function collect(answer: string | Buffer, limits = LIMITS): Promise<Collected & { readonly folder: string }> {
  const path = join(temporaryFolder(), "result");
  const collector = collectResult(path, limits);
  const bytes = Buffer.from(answer);
  for (let at = 0; at < bytes.length; at += 65_536) await collector.write(bytes.subarray(at, at + 65_536));
  return { ...(await collector.finish(TASK)), folder: dirname(path) };
}

async function text(answer: string | Buffer): Promise<string> {
  const collected = await collect(answer);
  if (collected.kind === "inline") return collected.text.toString("utf8");
  if (collected.kind === "file") return readFileSync(collected.path, "utf8");
  throw new Error(collected.message);
}

describe("the result of a response", () => {
  test.each([
    ['"a proof"', "a proof"],
    [' "with\\nescapes \\ud83d\\ude00" ', "with\nescapes 😀"],
    ['{"n":12345678901234567890,"a":1,"a":2}', '{"n":12345678901234567890,"a":1,"a":2}'],
    [" [1, 2]\n", "[1, 2]"],
    ["null", "null"],
    ['""', ""],
  ])("%s is %j", async (answer, result) => {
    expect(await text(answer)).toBe(result);
  });

  test.each([
    ["nothing", ""],
    ["half", '{"a":'],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ["a lone surrogate", '"\\ud800"'],
  ])("of a response that is %s is bad", async (_, answer) => {
    expect(await collect(answer)).toMatchObject({ kind: "bad" });
  });

  test("goes to a file with its digest when it is long, and leaves nothing else", async () => {
    const proof = "x".repeat(2_000_000);
    const collected = await collect(JSON.stringify(proof));
    const sha256 = createHash("sha256").update(proof).digest("hex");
    expect(collected).toMatchObject({ kind: "file", bytes: proof.length, sha256 });
    expect(readdirSync(collected.folder)).toEqual(["result"]);
  });

  test("keeps the order of what is written without waiting", async () => {
    const answer = Buffer.from(JSON.stringify(Array.from({ length: 400_000 }, (_, index) => index)));
    const collector = collectResult(join(temporaryFolder(), "result"), LIMITS);
    for (let at = 0; at < answer.length; at += 10_007) void collector.write(answer.subarray(at, at + 10_007));
    const collected = await collector.finish(TASK);
    expect(collected.kind === "file" && readFileSync(collected.path).equals(answer)).toBe(true);
  });

  test("is refused above the limit, to the byte", async () => {
    const limits = { ...LIMITS, resultBytesMax: 10_000 };
    expect(await collect(JSON.stringify("x".repeat(10_000)), limits)).toMatchObject({ kind: "file", bytes: 10_000 });
    expect(await collect(JSON.stringify("x".repeat(10_001)), limits)).toMatchObject({ kind: "bad" });
  });

  test("stops a response that has no end", async () => {
    const path = join(temporaryFolder(), "result");
    const collector = collectResult(path, { ...LIMITS, resultBytesMax: 1_000_000 });
    const flood = async (): Promise<void> => {
      await collector.write(Buffer.from('"'));
      for (;;) await collector.write(Buffer.alloc(65_536, "x"));
    };
    await expect(flood()).rejects.toThrow(OutputTooLargeError);
    await collector.discard();
    expect(readdirSync(dirname(path))).toEqual([]);
  });
});

describe("the envelope of the original service", () => {
  const envelope = (more: Record<string, unknown> = {}): string =>
    JSON.stringify({ task_id: TASK, result: "proof", status: 2, started: "a", finished: "b", ...more });

  test("is taken off a good response", async () => {
    expect(await text(envelope())).toBe("proof");
    expect(await text(envelope({ result: { a: 1 } }))).toBe('{"a":1}');
  });

  test("of a bad response is the prover's error", async () => {
    expect(await collect(envelope({ status: 3, result: "no witness" }))).toMatchObject({
      kind: "failed",
      message: "no witness",
    });
  });

  test("with any other status is no response", async () => {
    expect(await collect(envelope({ status: 7 }))).toMatchObject({ kind: "bad" });
  });

  test.each([
    ["another task's id", envelope({ task_id: "f".repeat(32) })],
    ["one key more", envelope({ extra: 1 })],
    ["one key less", envelope({ started: undefined })],
  ])("is left alone with %s: it is the output itself", async (_, answer) => {
    expect(await text(answer)).toBe(answer);
  });
});
