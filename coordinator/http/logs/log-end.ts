/** Whether there is more of a log to wait for. Decides and does nothing. */
import type { Instant } from "@elastic/std/clock.ts";
import type { AttemptSpan } from "../../domain/attempt-span.ts";
import type { LogState } from "../../task-logs/task-logs.ts";

/** An agent that lost its coordinator comes back, and sends the rest, well within it. */
export const REST_WITHIN_MS = 15_000;
/** While nothing is broken the first piece of a log is here sooner: a prover that wrote nothing is waited for no longer. */
export const FIRST_WITHIN_MS = 2_000;

export interface LogFacts {
  readonly span: AttemptSpan;
  /** Null when there is no log. */
  readonly state: LogState | null;
  readonly now: Instant;
  /** Since this process began, and with it perhaps the link that the rest comes over. */
  readonly upMs: number;
}

export function isOver({ span, state, now, upMs }: LogFacts): boolean {
  if (span.over === null) return false;
  // A lost node has no say any more.
  if (state?.complete === true || span.over.reason === "node_lost") return true;
  const patienceMs = state === null && upMs > REST_WITHIN_MS ? FIRST_WITHIN_MS : REST_WITHIN_MS;
  return now - span.over.at > patienceMs;
}
