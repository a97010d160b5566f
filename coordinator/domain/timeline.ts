/**
 * The timeline of a task, in order: appended to by the transitions of task.ts and retry.ts, never changed. Attempts are
 * bounded, and so is this. A mark is a tuple, not an object, because it is written again with every change of the
 * record, which must stay small.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { FailedPhase, FailureReason } from "./failure.ts";

export type Mark =
  | readonly [at: Instant, event: "created"]
  | readonly [at: Instant, event: "started", nodeId: string]
  | readonly [at: Instant, event: "requeued", reason: FailureReason]
  | readonly [at: Instant, event: "succeeded"]
  | readonly [at: Instant, event: FailedPhase, reason: FailureReason];

export type Timeline = readonly Mark[];

/** A mark as it is read. Its index in the timeline names it for good. */
export interface TaskEvent {
  readonly at: Instant;
  readonly event: Mark[1];
  /** The attempt that it is about; null before the first. */
  readonly attempt: number | null;
  readonly nodeId: string | null;
  readonly reason: FailureReason | null;
}

/** Marks never go back in time, however clocks step. */
export function withMark(timeline: Timeline, mark: Mark): Timeline {
  const notBefore = timeline.at(-1)?.[0] ?? mark[0];
  // By `concat`, since an array made by a spread keeps room for sixteen more, in each of thousands of records.
  return timeline.concat([mark[0] >= notBefore ? mark : (mark.with(0, notBefore) as unknown as Mark)]);
}

export function eventsOf(timeline: Timeline): TaskEvent[] {
  let attempt: number | null = null;
  return timeline.map(([at, event, detail]) => {
    if (event === "started") attempt = (attempt ?? 0) + 1;
    const nodeId = event === "started" ? (detail ?? null) : null;
    const reason = event === "started" ? null : ((detail as FailureReason | undefined) ?? null);
    return { at, event, attempt, nodeId, reason };
  });
}
