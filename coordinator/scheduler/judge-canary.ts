/** Whether the deployment that is coming up has proved what it must before it serves. Pure. */
import { isInfrastructure } from "../domain/failure.ts";
import type { RollOut, StepFailure } from "../domain/roll-out.ts";
import { isTerminal, type Task } from "../domain/task.ts";

export type CanaryVerdict =
  | { readonly kind: "proved" }
  /** A ready workload is to prove it, for the first time or because the last time the machinery failed. */
  | { readonly kind: "start" }
  | { readonly kind: "running" }
  | { readonly kind: "failed"; readonly failure: StepFailure };

const TRIES_MAX = 3;
const INPUT = "it did not prove an input that the service has proved before:";

/** `taskOf` finds the tasks of the coordinator's view. */
export function judgeCanary(
  { events }: Pick<RollOut, "events">,
  taskOf: (id: string) => Task | undefined,
): CanaryVerdict {
  const tries = events.filter(({ stage }) => stage === "proving");
  const id = tries.at(-1)?.taskId ?? null;
  if (id === null) return { kind: "start" };
  const task = taskOf(id);
  if (task === undefined) {
    return failed({ reason: "internal", message: `task ${id} is not there any more`, exitCode: null, logTail: "" });
  }
  const { phase } = task;
  if (!isTerminal(phase)) return { kind: "running" };
  if (phase.kind === "succeeded") return { kind: "proved" };
  if (isInfrastructure(phase.failure.reason) && tries.length < TRIES_MAX) return { kind: "start" };
  return failed(phase.failure);
}

function failed({ reason, message, exitCode, logTail }: Omit<StepFailure, "step">): CanaryVerdict {
  const failure = { step: "proving", reason, message: `${INPUT} ${message}`, exitCode, logTail } as const;
  return { kind: "failed", failure };
}
