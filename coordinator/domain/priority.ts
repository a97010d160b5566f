/**
 * Priorities order the tasks of one service. Each step is worth five minutes of age: a task goes before an older one
 * only where its priority makes up for the difference, so every task has its turn. The widest step, from -10 to 10,
 * is worth 100 minutes: what is older than that by more goes first, whatever the priorities.
 */
import type { Task } from "./task.ts";

export const PRIORITY_MIN = -10;
export const PRIORITY_MAX = 10;
export const PRIORITY_STEP_MS = 5 * 60_000;

/** Of two tasks of a service the one with the lower rank is served first. */
export function rankOf({ createdAt, priority }: Pick<Task, "createdAt" | "priority">): number {
  return createdAt - priority * PRIORITY_STEP_MS;
}
