/**
 * How a new task starts at once: where nothing waits and a workload has room, the task is created as running, so
 * that its creation is its claim. Implemented by the scheduler, used by whoever creates tasks.
 */
import type { Task } from "./task.ts";

export interface ClaimAtCreation {
  /** A place for a queued task that is not in the store yet; null where it has to wait for its turn. */
  reserve(task: Task): Reservation | null;
}

/** A place that is held until it is confirmed or released. */
export interface Reservation {
  /** The task as it is to be created. */
  readonly task: Task;
  /** The term of the leader that gave the place: the creation must hold only while that term lasts. */
  readonly epoch: number;
  /** The task was created so. */
  confirm(): void;
  /** The task was not created so, or nobody knows. */
  release(): void;
}

/** Of a process that does not schedule. */
export const NO_CLAIMS: ClaimAtCreation = { reserve: () => null };
