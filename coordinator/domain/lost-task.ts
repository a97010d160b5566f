/**
 * A task that an agent ran before the store was restored from a backup, and that neither the restored store nor the archive
 * knows: it was acknowledged after the backup. It cannot be run again, since its input and its team are not known.
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface LostTask {
  /** That of the task, which has the time of its creation. */
  readonly id: string;
  readonly nodeId: string;
  readonly attempt: number;
  /** Under which it was claimed. */
  readonly storeEpoch: number;
  /** `open`: it ran when the agent linked, or its outcome was not acknowledged. `ended`: its outcome had been committed. */
  readonly from: "open" | "ended";
  readonly reportedAt: Instant;
}

export const LOST_TASKS_MAX = 10_000;
/** However many nodes there are. */
const OF_ONE_NODE_MIN = 1_000;
const RETAINED_MS = 30 * 86_400_000;

export function isLostTaskForgotten({ reportedAt }: Pick<LostTask, "reportedAt">, now: Instant): boolean {
  return reportedAt + RETAINED_MS <= now;
}

/** How many of them one of so many nodes may report: none fills the list alone, whatever it makes up. */
export function lostTasksShare(nodes: number): number {
  return Math.max(OF_ONE_NODE_MIN, Math.floor(LOST_TASKS_MAX / Math.max(1, nodes)));
}
