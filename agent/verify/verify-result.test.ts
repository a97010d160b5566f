import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Prover, ProverAnswer, ProverCall, TaskInput } from "../domain/driver.ts";
import type { StoredResult } from "../results/collect.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { verifyResult } from "./verify-result.ts";

afterAll(removeTemporaryFolders);

const INPUT = '{"n":12345678901234567890,"a":1,"a":2}';

/** A verifier that returns this text, and remembers what it was posted. */
class SayingVerifier {
  posted = "";
  longestPiece = 0;
  readonly #answer: string | ProverAnswer;

  constructor(answer: string | ProverAnswer) {
    this.#answer = answer;
  }

  get prover(): Prover {
    return { prove: (call: ProverCall) => this.#prove(call) } as unknown as Prover;
  }

  async #prove({ input, output, signal }: ProverCall): Promise<ProverAnswer> {
    if (signal.aborted) return { kind: "aborted", logTail: "" };
    const pieces: Buffer[] = [];
    for await (const piece of input.inline === null ? input.open(signal) : [input.inline]) pieces.push(piece);
    const whole = Buffer.concat(pieces);
    expect(whole.length).toBe(input.bytes);
    this.posted = whole.toString("utf8");
    this.longestPiece = Math.max(...pieces.map(({ length }) => length));
    if (typeof this.#answer !== "string") return this.#answer;
    try {
      output.write(Buffer.from(this.#answer));
    } catch (error) {
      return { kind: "broken", error, logTail: "" };
    }
    return { kind: "responded" };
  }
}

function inputOf(text: string, isInline = true): TaskInput {
  const whole = Buffer.from(text);
  return {
    bytes: whole.length,
    inline: isInline ? whole : null,
    open: async function* () {
      yield whole;
    },
  };
}

function inline(text: string, isString: boolean): StoredResult {
  return { kind: "inline", text: Buffer.from(text), isString };
}

function verifiedBy(verifier: SayingVerifier, more: Partial<Parameters<typeof verifyResult>[1]> = {}) {
  const work = { taskId: "t", serviceId: "s", input: inputOf(INPUT), result: inline("proof", true) };
  return verifyResult(verifier.prover, { ...work, signal: new AbortController().signal, ...more });
}

test("it is posted input and result as they were, a string as a string and JSON as JSON", async () => {
  const verifier = new SayingVerifier('{"valid":true}');
  expect(await verifiedBy(verifier, { result: inline('say "hi"\n', true) })).toEqual({ kind: "accepted" });
  expect(verifier.posted).toBe(`{"input":${INPUT},"result":"say \\"hi\\"\\n"}`);
  await verifiedBy(verifier, { result: inline('{"a":1e400,"a":[ 2 ]}', false) });
  expect(verifier.posted).toBe(`{"input":${INPUT},"result":{"a":1e400,"a":[ 2 ]}}`);
});

test("reads a long result from its file, and fetches an input that is not in memory again, neither held completely", async () => {
  const path = join(temporaryFolder(), "result");
  await writeFile(path, `x"${"y".repeat(2_000_000)}`);
  const result: StoredResult = { kind: "file", path, bytes: 2_000_002, sha256: "0".repeat(64), isString: true };
  const verifier = new SayingVerifier('{"valid":true}');
  expect(await verifiedBy(verifier, { input: inputOf(INPUT, false), result })).toEqual({ kind: "accepted" });
  const posted = JSON.parse(verifier.posted) as { readonly result: string };
  expect(posted.result).toBe(await readFile(path, "utf8"));
  expect(verifier.longestPiece).toBeLessThan(300_000);
});

test("what it rejects is rejected, in its own words where it has some", async () => {
  expect(await verifiedBy(new SayingVerifier('{"valid":false}'))).toEqual({ kind: "rejected", message: null });
  const worded = new SayingVerifier('{"message":"the pairing does not hold","valid":false}');
  expect(await verifiedBy(worded)).toEqual({ kind: "rejected", message: "the pairing does not hold" });
});

const NO_VERDICTS = [
  ...["", "nonsense", "true", "[]", "null", '{"valid":"true"}', '{"valid":1}', '{"Valid":true}', '{"ok":true}'],
  // Which of the two holds is each reader's guess.
  ...['{"valid":false,"valid":true}', '{"valid":true,"valid":true}', '{"valid":true,"\\u0076alid":false}'],
  `{"valid":true,"x":${"[".repeat(32_000)}${"]".repeat(32_000)}}`,
];

test.each(NO_VERDICTS)("a response of %j says nothing of the proof", async (answer) => {
  expect(await verifiedBy(new SayingVerifier(answer))).toMatchObject({
    kind: "none",
    message: expect.stringContaining("the verifier did not say whether the proof is valid"),
  });
});

test("an endless response is cut, and says nothing of the proof", async () => {
  const verdict = await verifiedBy(new SayingVerifier(`{"valid":true,"x":"${"y".repeat(70_000)}"}`));
  expect(verdict).toMatchObject({ kind: "none", message: expect.stringContaining("more than 65536 bytes") });
});

test.each<readonly [ProverAnswer, object]>([
  [
    { kind: "refused", message: "status 500", logTail: "log" },
    { message: expect.stringContaining("status 500"), logTail: "log" },
  ],
  [{ kind: "garbled", message: "not HTTP", logTail: "" }, { message: expect.stringContaining("not HTTP") }],
  [
    { kind: "ended", end: { exitCode: 9, signal: null, outOfMemory: false, byAgent: false }, logTail: "log" },
    { message: expect.stringContaining("exited with code 9"), exitCode: 9 },
  ],
  [
    { kind: "ended", end: { exitCode: 137, signal: "SIGKILL", outOfMemory: true, byAgent: false }, logTail: "" },
    { message: expect.stringContaining("more memory") },
  ],
  [
    { kind: "broken", error: new Error("the input is gone"), logTail: "" },
    { message: expect.stringContaining("gone") },
  ],
])("a verifier that fails says nothing of the proof: %j", async (answer, verdict) => {
  expect(await verifiedBy(new SayingVerifier(answer))).toMatchObject({ kind: "none", ...verdict });
});

test("a request that the agent ended has no verdict", async () => {
  expect(await verifiedBy(new SayingVerifier('{"valid":true}'), { signal: AbortSignal.abort("cancelled") })).toBeNull();
});
