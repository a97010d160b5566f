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
const RETAINED_MS = 30 * 86_400_000;

export function isLostTaskForgotten({ reportedAt }: Pick<LostTask, "reportedAt">, now: Instant): boolean {
  return reportedAt + RETAINED_MS <= now;
}
