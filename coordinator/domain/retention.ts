/**
 * How long data is retained once a task has ended: its input, result and logs for as long as its service says, its
 * record for thirty days more. What has expired is never shown again, whether or not it was removed already.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { isTerminal, type Task } from "./task.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const RETENTION_MS_MIN = HOUR_MS;
export const RETENTION_MS_MAX = 90 * DAY_MS;
export const RETENTION_MS_DEFAULT = 7 * DAY_MS;

/** How much longer than its bytes a record is retained. */
export const RECORD_KEPT_MS = 30 * DAY_MS;

/** When input and result of the task expire; null while it has not ended. */
export function expiresAt({ phase, retentionMs }: Pick<Task, "phase" | "retentionMs">): Instant | null {
  return isTerminal(phase) ? phase.finishedAt + (retentionMs ?? RETENTION_MS_DEFAULT) : null;
}

export function isExpired(task: Pick<Task, "phase" | "retentionMs">, now: Instant): boolean {
  const at = expiresAt(task);
  return at !== null && at <= now;
}
