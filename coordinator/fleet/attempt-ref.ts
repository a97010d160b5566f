/** Attempts as they are named on the wire: task, number and fencing token. */

import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { isId } from "@elastic/std/ids.ts";
import { attemptSpan } from "../domain/attempt-span.ts";
import type { Task } from "../domain/task.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { FleetContext } from "./fleet-context.ts";

/** An attempt named by an agent, read and found well-formed. */
export interface NamedAttempt {
  readonly taskId: string;
  readonly number: number;
  readonly storeEpoch: number;
  readonly revision: number;
}

/** Null for what cannot name any attempt. */
export function readAttemptRef(ref: AttemptRef | undefined): NamedAttempt | null {
  if (ref?.token === undefined || !isId(ref.taskId) || ref.number < 1) return null;
  const storeEpoch = Number(ref.token.storeEpoch);
  const revision = Number(ref.token.revision);
  if (!Number.isSafeInteger(storeEpoch) || !Number.isSafeInteger(revision) || revision < 1) return null;
  return { taskId: ref.taskId, number: ref.number, storeEpoch, revision };
}

/** The wire name of the attempt that a running task's record stands for. */
export function attemptRefOf(storeEpoch: number, running: Versioned<Task>): AttemptRef {
  return {
    taskId: running.value.id,
    number: running.value.attempts.started,
    token: { storeEpoch: BigInt(storeEpoch), revision: BigInt(running.revision) },
  };
}

/** Whether the record is the very claim that the token was made from, so that the attempt is current. */
export function isCurrent(storeEpoch: number, task: Versioned<Task> | null | undefined, named: NamedAttempt): boolean {
  return task?.value.phase.kind === "running" && task.revision === named.revision && storeEpoch === named.storeEpoch;
}

/**
 * Why the node was never given the attempt, as the task's record says; null where it may have been. Of what is over, or of
 * another store, a node may report at any time.
 */
export function whyNeverOn(
  storeEpoch: number,
  task: Versioned<Task> | null | undefined,
  nodeId: string,
  named: NamedAttempt,
): string | null {
  if (!task || storeEpoch !== named.storeEpoch) return null;
  if (named.number > task.value.attempts.started) return "it names an attempt that was never started";
  const span = attemptSpan(task.value.timeline, named.number);
  return span !== null && span.nodeId !== nodeId ? "the attempt is another node's" : null;
}

/** Names an attempt within this store. */
export function attemptKey(taskId: string, revision: number): string {
  return `${taskId}/${revision}`;
}

/**
 * The task, if `named` is its current attempt and runs on the node. The view is read first; what it does not
 * confirm is read from the store, since the view of a coordinator that does not lead may be behind.
 */
export async function findRunningOn(
  { store, violations }: Pick<FleetContext, "store" | "violations">,
  nodeId: string,
  named: NamedAttempt,
): Promise<Versioned<Task> | null> {
  const seen = store.view.tasks.get(named.taskId);
  const task = isCurrent(store.epoch, seen, named) ? seen : await store.get("tasks", named.taskId);
  const why = whyNeverOn(store.epoch, task, nodeId, named);
  if (why !== null) violations.note(nodeId, "attempt", why);
  if (!task || !isCurrent(store.epoch, task, named)) return null;
  return task.value.phase.kind === "running" && task.value.phase.nodeId === nodeId ? task : null;
}
