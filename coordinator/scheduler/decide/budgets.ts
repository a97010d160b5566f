/**
 * Budgets of wall-clock stamps turned into deadlines on the monotonic clock. What remains is between
 * nothing and the full budget, so a clock that steps back gives no endless deadline, and one that steps
 * while a deadline is set already changes nothing.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Task } from "../../domain/task.ts";

/** The agent ends a run that overruns; the coordinator only steps in when that does not happen. */
const RUN_GRACE_MS = 30_000;
/** An input that is fetched first must at least come this fast. */
const INPUT_BYTES_PER_MS = 4096;

function remainingMs(budgetMs: number, since: Instant, now: Instant): number {
  return Math.min(budgetMs, Math.max(0, since + budgetMs - now));
}

/** Until an open task is to be looked at for the first time. */
export function firstRemainingMs(task: Task, now: Instant): number {
  const { phase } = task;
  if (phase.kind === "queued") return remainingMs(firstQueueBudgetMs(task), phase.since, now);
  return phase.kind === "running" ? remainingMs(attemptBudgetMs(task), phase.since, now) : 0;
}

/** From the claim to the latest moment at which the agent must have reported. */
function attemptBudgetMs(task: Pick<Task, "budgets" | "input">): number {
  return task.budgets.runMs + RUN_GRACE_MS + Math.ceil(task.input.bytes / INPUT_BYTES_PER_MS);
}

/** The first deadline of a queued task: the sooner of its two budgets. */
function firstQueueBudgetMs(task: Pick<Task, "budgets">): number {
  return Math.min(task.budgets.startMs, task.budgets.queueMs);
}
