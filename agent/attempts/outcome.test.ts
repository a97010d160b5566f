import { expect, test } from "vitest";
import type { ProverAnswer, ProverEnd } from "../domain/driver.ts";
import { InputCorruptError, InputUnavailableError } from "../domain/input-unavailable.ts";
import { OutputTooLargeError } from "../results/output-too-large.ts";
import { type CallFacts, outcomeOf, verifiedOutcome } from "./outcome.ts";

const END: ProverEnd = { exitCode: 1, signal: null, outOfMemory: false, byAgent: false };
const responded: ProverAnswer = { kind: "responded" };
const ended = (end: Partial<ProverEnd>): ProverAnswer => ({ kind: "ended", end: { ...END, ...end }, logTail: "tail" });
const broken = (error: unknown): ProverAnswer => ({ kind: "broken", error, logTail: "tail" });
const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
const inline = { kind: "inline", text: Buffer.from("proof"), isString: true } as const;

const cases: readonly (readonly [string, Partial<CallFacts>, object])[] = [
  ["a good response succeeds", { answer: responded, collected: inline }, { kind: "succeeded", result: inline }],
  [
    "a response that came as it was cancelled stands",
    { answer: responded, collected: inline, stopped: "cancelled" },
    { kind: "succeeded" },
  ],
  [
    "a response that is none is bad output",
    { answer: responded, collected: { kind: "bad", message: "m" } },
    { reason: "bad_output" },
  ],
  [
    "an envelope that reports a failure is the prover's error",
    { answer: responded, collected: { kind: "failed", message: "m" } },
    { reason: "prover_error", message: "m" },
  ],
  ...(
    [
      [
        "a refusal",
        { answer: { kind: "refused", message: "m", logTail: "tail", killedForMemory: true } },
        { logTail: "tail" },
      ],
      ["a broken response", { answer: { kind: "garbled", message: "m", logTail: "tail", killedForMemory: true } }, {}],
      [
        "an envelope of failure",
        { answer: { kind: "responded", killedForMemory: true }, collected: { kind: "failed", message: "m" } },
        {},
      ],
    ] as const
  ).map(
    ([what, facts, more]) =>
      [
        `${what} after a process was killed for memory is that`,
        facts,
        {
          reason: "out_of_memory",
          message: expect.stringMatching(/^a process of the prover used all of .*: m$/),
          ...more,
        },
      ] as const,
  ),
  [
    "a good response stands though a process was killed for memory on the way",
    { answer: { kind: "responded", killedForMemory: true }, collected: inline },
    { kind: "succeeded" },
  ],
  [
    "a cancelled call is cancelled",
    { answer: { kind: "aborted", logTail: "" }, stopped: "cancelled" },
    { kind: "cancelled" },
  ],
  [
    "a prover killed by its cancel is cancelled",
    { answer: ended({ byAgent: true }), stopped: "cancelled" },
    { kind: "cancelled" },
  ],
  [
    "a call that took too long is timed out",
    { answer: { kind: "aborted", logTail: "" }, stopped: "run_timeout" },
    { reason: "run_timeout", message: expect.stringContaining("1.5 s") },
  ],
  [
    "a refusal is the prover's error",
    { answer: { kind: "refused", message: "no", logTail: "" } },
    { reason: "prover_error", message: "no" },
  ],
  ["garbage is bad output", { answer: { kind: "garbled", message: "no", logTail: "" } }, { reason: "bad_output" }],
  [
    "an end for memory is out_of_memory",
    { answer: ended({ exitCode: 137, signal: "SIGKILL", outOfMemory: true }), memoryBytes: 2 * 1024 ** 3 },
    {
      reason: "out_of_memory",
      message:
        "the prover used all of the 2048 MiB that it may use and was killed; deploy it with more " +
        "(resources.memory_bytes, or elastic deploy --memory)",
      exitCode: 137,
      logTail: "tail",
    },
  ],
  [
    "a crash is the prover's error and names the signal",
    { answer: ended({ exitCode: 139, signal: "SIGSEGV" }) },
    { reason: "prover_error", exitCode: 139, message: expect.stringContaining("SIGSEGV") },
  ],
  ["an exit is the prover's error", { answer: ended({ exitCode: 3 }) }, { reason: "prover_error", exitCode: 3 }],
  [
    "a prover that the agent ended for another's sake is nobody's fault",
    { answer: ended({ byAgent: true }) },
    { reason: "internal" },
  ],
  ["too much output is bad output", { answer: broken(new OutputTooLargeError("big")) }, { reason: "bad_output" }],
  ["a full disk is the node's fault", { answer: broken(full) }, { reason: "node_disk_full" }],
  [
    "a damaged input has its own reason",
    { answer: broken(new InputCorruptError("damaged")) },
    { reason: "input_corrupt", message: "damaged" },
  ],
  [
    "a lost input is the machinery's fault",
    { answer: broken(new InputUnavailableError("gone")) },
    { reason: "internal", message: "gone" },
  ],
];

test.each(cases)("%s", (_, facts, outcome) => {
  expect(
    outcomeOf({ answer: responded, collected: null, stopped: null, runTimeoutMs: 1_500, memoryBytes: null, ...facts }),
  ).toMatchObject(outcome);
});

test("a result counts once its verifier has accepted it", () => {
  expect(verifiedOutcome(inline, { kind: "accepted" }, null)).toEqual({ kind: "succeeded", result: inline });
});

test("reports a result that the verifier rejects as bad output, with the reason", () => {
  expect(verifiedOutcome(inline, { kind: "rejected", message: null }, null)).toMatchObject({
    reason: "bad_output",
    message: "the verifier rejected the result",
  });
  const worded = verifiedOutcome(inline, { kind: "rejected", message: "no pairing" }, null);
  expect(worded).toMatchObject({ message: "the verifier rejected the result: no pairing" });
});

test("a verifier that does not say is the machinery's trouble, so that the task is tried again", () => {
  const none = { kind: "none", message: "it crashed", exitCode: 139, logTail: "log" } as const;
  expect(verifiedOutcome(inline, none, null)).toMatchObject({ reason: "internal", exitCode: 139, logTail: "log" });
  expect(verifiedOutcome(inline, null, "run_timeout")).toMatchObject({ reason: "internal" });
});

test("a task that is cancelled while its result is verified is cancelled", () => {
  expect(verifiedOutcome(inline, null, "cancelled")).toEqual({ kind: "cancelled" });
});
