/** A workload's state in the words of the contract. */
import { WorkloadPhase, type WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { tailText } from "../domain/log-tail.ts";
import type { StartFailure } from "../domain/start-failure.ts";
import type { StartProgress } from "../domain/start-progress.ts";
import type { SupervisedWorkload } from "./supervise.ts";

const PHASES = {
  pulling: WorkloadPhase.WORKLOAD_PHASE_PULLING,
  starting: WorkloadPhase.WORKLOAD_PHASE_STARTING,
  ready: WorkloadPhase.WORKLOAD_PHASE_READY,
  stopped: WorkloadPhase.WORKLOAD_PHASE_STOPPED,
  failed: WorkloadPhase.WORKLOAD_PHASE_FAILED,
} as const;

const MESSAGE_CHARS_MAX = 1_000;
const LOG_TAIL_BYTES_MAX = 4 * 1024;

export function workloadReport({ spec, state }: Pick<SupervisedWorkload, "spec" | "state">): WorkloadReport {
  const now = state();
  const failure = now.kind === "failed" ? wireFailure(now.failure) : undefined;
  const progress =
    now.kind === "stopped" ? undefined : wireProgress(now.kind === "ready" ? withoutSigns(now.progress) : now.progress);
  return { assignmentId: spec.assignmentId, phase: PHASES[now.kind], failure, ...(progress && { progress }) };
}

/** Once it is healthy there is nothing to explain. */
function withoutSigns(progress: StartProgress | null): StartProgress | null {
  if (progress === null) return null;
  const { step, doneBytes, totalBytes } = progress;
  return { step, doneBytes, totalBytes };
}

function wireProgress(progress: StartProgress | null): WorkloadReport["progress"] {
  if (progress === null) return undefined;
  const { step, doneBytes, totalBytes, checking } = progress;
  const { warning = "", logTail = "" } = checking ?? {};
  return {
    stage: step,
    doneBytes: BigInt(doneBytes),
    totalBytes: BigInt(totalBytes),
    warning: warning.slice(0, MESSAGE_CHARS_MAX),
    logTail: tailText(Buffer.from(logTail), LOG_TAIL_BYTES_MAX),
  };
}

function wireFailure({ reason, message, exitCode, logTail }: StartFailure): NonNullable<WorkloadReport["failure"]> {
  const tail = tailText(Buffer.from(logTail), LOG_TAIL_BYTES_MAX);
  const failure = { reason, message: message.slice(0, MESSAGE_CHARS_MAX), logTail: tail };
  return exitCode === null ? failure : { ...failure, exitCode };
}
