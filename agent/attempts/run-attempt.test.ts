import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { NO_TRACING } from "@elastic/std/tracing/tracing.ts";
import { afterAll, expect, test } from "vitest";
import type { Prover, ProverAnswer, ProverCall } from "../domain/driver.ts";
import { StartFailure } from "../domain/start-failure.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { deadlines } from "./deadlines.ts";
import type { StopCause } from "./outcome.ts";
import { type AttemptWork, type EndedAttempt, runAttempt } from "./run-attempt.ts";

const RESOURCES = { cpuMillis: 1_000, memoryBytes: 2 ** 31, pids: 512, tmpBytes: 2 ** 28 };

afterAll(removeTemporaryFolders);

const LONG = JSON.stringify("y".repeat(5_000));

/** A prover, or a verifier, that returns this text or acts as scripted. */
function saying(answer: string | ((call: ProverCall) => Promise<ProverAnswer>)): Prover {
  const prove = async (call: ProverCall): Promise<ProverAnswer> => {
    call.onCalled();
    if (typeof answer !== "string") return await answer(call);
    call.output.write(Buffer.from(answer));
    return { kind: "responded" };
  };
  return { prove, log: null } as unknown as Prover;
}

interface Run {
  readonly ended: Promise<EndedAttempt>;
  readonly stop: AbortController;
  readonly resultPath: string;
}

function run(
  prover: Prover,
  source: Partial<AttemptWork["workload"]>,
  runTimeoutMs = 20_000,
  trace: { readonly traceparent?: string; readonly tracing: AttemptWork["tracing"] } = { tracing: NO_TRACING },
): Run {
  const resultPath = join(temporaryFolder(), "result");
  const stop = new AbortController();
  const input = Buffer.from("{}");
  const work = {
    order: {
      ...{ key: "k", taskId: "t", serviceId: "s", assignmentId: "a", runTimeoutMs, traceparent: trace.traceparent },
      input: { bytes: input.length, inline: input, open: async function* () {} },
    },
    workload: { spec: { resources: RESOURCES }, prover: () => prover, verifier: source?.verifier ?? null },
    log: { follow: () => undefined, release: () => undefined, end: () => undefined },
    onProgress: () => undefined,
    limits: { resultBytesMax: 1_000_000, inlineBytesMax: 1_000 },
    resultPath,
    stop,
    deadlines: deadlines<string>(systemClock),
    tracing: trace.tracing,
    clock: systemClock,
  };
  return { ended: runAttempt(work), stop, resultPath };
}

const verifiedBy = (verifier: Prover | (() => Promise<Prover>)) => ({
  prover: () => saying(""),
  verifier: typeof verifier === "function" ? verifier : () => verifier,
});

test("without a verifier a result counts as it is", async () => {
  expect((await run(saying('"proof"'), undefined).ended).outcome).toMatchObject({ kind: "succeeded" });
});

test("stores a result that is accepted, and leaves nothing of one that is rejected", async () => {
  const kept = run(saying(LONG), verifiedBy(saying('{"valid":true}')));
  expect((await kept.ended).outcome).toMatchObject({ kind: "succeeded", result: { kind: "file", bytes: 5_000 } });
  expect(existsSync(kept.resultPath)).toBe(true);
  const gone = run(saying(LONG), verifiedBy(saying('{"valid":false,"message":"no"}')));
  expect((await gone.ended).outcome).toMatchObject({ reason: "bad_output", message: expect.stringContaining("no") });
  expect(existsSync(gone.resultPath)).toBe(false);
});

test("what is no result is never verified", async () => {
  let requested = false;
  const verifier = saying(async () => {
    requested = true;
    return { kind: "responded" };
  });
  const refused = saying(async () => ({ kind: "refused", message: "not in range", logTail: "" }));
  expect((await run(refused, verifiedBy(verifier)).ended).outcome).toMatchObject({ reason: "prover_error" });
  expect(requested).toBe(false);
});

test("a verifier that is not up is the machinery's trouble", async () => {
  const down = () => Promise.reject(new StartFailure("image_unavailable", "no such image"));
  const { ended, resultPath } = run(saying(LONG), verifiedBy(down));
  expect((await ended).outcome).toMatchObject({
    reason: "internal",
    message: expect.stringContaining("no such image"),
  });
  expect(existsSync(resultPath)).toBe(false);
});

/** Returns nothing until its call is aborted. */
const hanging = saying(
  ({ signal }) =>
    new Promise((resolve) => {
      const giveUp = () => resolve({ kind: "aborted", logTail: "" });
      if (signal.aborted) giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
    }),
);

test("a verifier that hangs ends with the time for the run, as the machinery's trouble", async () => {
  const { outcome } = await run(saying('"proof"'), verifiedBy(hanging), 60).ended;
  expect(outcome).toMatchObject({ reason: "internal", message: expect.stringContaining("did not respond") });
});

test("a task that is cancelled while its result is verified is cancelled", async () => {
  const { ended, stop, resultPath } = run(saying(LONG), verifiedBy(hanging));
  setImmediate(() => stop.abort("cancelled" satisfies StopCause));
  expect((await ended).outcome).toEqual({ kind: "cancelled" });
  expect(existsSync(resultPath)).toBe(false);
});
