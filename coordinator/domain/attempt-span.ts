/** One attempt by the task's timeline: where it ran, and when and why it was over. */
import type { Instant } from "@elastic/std/clock.ts";
import type { FailureReason } from "./failure.ts";
import { eventsOf, type Timeline } from "./timeline.ts";

export interface AttemptSpan {
  readonly nodeId: string;
  /** Null while it runs. */
  readonly over: { readonly at: Instant; readonly reason: FailureReason | null } | null;
}

/** Null for an attempt that was not started. */
export function attemptSpan(timeline: Timeline, attempt: number): AttemptSpan | null {
  const events = eventsOf(timeline);
  const started = events.findIndex((event) => event.event === "started" && event.attempt === attempt);
  const nodeId = events[started]?.nodeId;
  if (nodeId === undefined || nodeId === null) return null;
  const next = events[started + 1];
  return { nodeId, over: next === undefined ? null : { at: next.at, reason: next.reason } };
}
