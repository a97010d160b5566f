/** Has a verifier check a result. */

import type { OutputSink, Prover, ProverAnswer, ProverEnd, TaskInput } from "../domain/driver.ts";
import { EngineAwayError } from "../domain/engine-away-error.ts";
import type { StoredResult } from "../results/collect.ts";
import { noVerdict, readVerdict, type Verdict } from "./verdict.ts";
import { verifierInput } from "./verifier-input.ts";

export interface ToVerify {
  readonly taskId: string;
  readonly serviceId: string;
  readonly input: TaskInput;
  readonly result: StoredResult;
  /** Ends the call: cancelled, timed out or fenced. */
  readonly signal: AbortSignal;
}

const ANSWER_BYTES_MAX = 64 * 1024;

/** Null when the signal ended it. Rejects when the verifier's engine went away. */
export async function verifyResult(verifier: Prover, work: ToVerify): Promise<Verdict | null> {
  const { taskId, serviceId, signal } = work;
  const input = await verifierInput(work.input, work.result);
  const answer = new SmallAnswer();
  const said = await verifier.prove({
    taskId,
    serviceId,
    input,
    output: answer,
    signal,
    onCalled: () => undefined,
    onProgress: () => undefined,
  });
  if (said.kind === "responded") return readVerdict(answer.whole());
  if (said.kind === "aborted" && signal.aborted) return null;
  if (said.kind === "broken" && said.error instanceof EngineAwayError) throw said.error;
  return noVerdict(whyNot(said), { logTail: said.logTail, exitCode: said.kind === "ended" ? said.end.exitCode : null });
}

function whyNot(said: Exclude<ProverAnswer, { kind: "responded" }>): string {
  switch (said.kind) {
    case "refused":
    case "garbled":
      return said.message;
    case "ended":
      return howItEnded(said.end);
    case "broken":
      return said.error instanceof Error ? said.error.message : String(said.error);
    case "aborted":
      return "the call was abandoned";
  }
}

function howItEnded({ outOfMemory, signal, exitCode }: ProverEnd): string {
  if (outOfMemory) return "it used more memory than it has and was killed";
  return signal === null ? `it exited with code ${exitCode}` : `it crashed (${signal})`;
}

class SmallAnswer implements OutputSink {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  write(chunk: Buffer): undefined {
    this.#bytes += chunk.length;
    if (this.#bytes > ANSWER_BYTES_MAX) throw new Error(`its response has more than ${ANSWER_BYTES_MAX} bytes`);
    this.#chunks.push(chunk);
  }

  whole(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
