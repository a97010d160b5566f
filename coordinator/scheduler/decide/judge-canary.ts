/** Whether the deployment that is coming up has proved what it must before it serves. Pure. */
import { type FailureReason, isInfrastructure } from "../../domain/failure.ts";
import type { RollOut, StepFailure } from "../../domain/roll-out.ts";
import { isTerminal, type Task } from "../../domain/task.ts";

export type CanaryVerdict =
  | { readonly kind: "proved" }
  /** A ready workload is to prove it, for the first time or because the last time the machinery failed. */
  | { readonly kind: "start" }
  | { readonly kind: "running" }
  | { readonly kind: "failed"; readonly failure: StepFailure };

const TRIES_MAX = 3;

/** `taskOf` finds the tasks of the coordinator's view. */
export function judgeCanary(
  { events }: Pick<RollOut, "events">,
  taskOf: (id: string) => Task | undefined,
): CanaryVerdict {
  const tries = events.filter(({ stage }) => stage === "proving");
  const id = tries.at(-1)?.taskId ?? null;
  if (id === null) return { kind: "start" };
  const task = taskOf(id);
  if (task === undefined) return failed("internal", null, `task ${id}, which was to show it, is not there any more`);
  const { phase } = task;
  if (!isTerminal(phase)) return { kind: "running" };
  if (phase.kind === "succeeded") return { kind: "proved" };
  const { reason, exitCode } = phase.failure;
  // Whoever may cancel tasks does not decide what is deployed.
  if ((isInfrastructure(reason) || reason === "cancelled") && tries.length < TRIES_MAX) return { kind: "start" };
  return failed(reason, exitCode, `it did not prove an input that the service has proved before: see task ${id}`);
}

/** What the prover wrote may quote the input, so it is read at the task alone, by those who may read tasks. */
function failed(reason: FailureReason, exitCode: number | null, message: string): CanaryVerdict {
  return { kind: "failed", failure: { step: "proving", reason, message, exitCode, logTail: "" } };
}
