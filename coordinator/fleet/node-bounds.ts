/**
 * What one node, whatever its agent sends, may bring about at this coordinator: log lines, entries of the list of lost tasks,
 * writes of its record. In memory: a restart begins at none, and each coordinator counts for itself.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { BoundedLines } from "./bounded-lines.ts";
import { DRAIN_CHANGES, GPU_CHANGES } from "./limits.ts";
import { LostTaskRoom } from "./lost-task-room.ts";
import { RecentChanges } from "./recent-changes.ts";
import { UnknownAttempts } from "./unknown-attempts.ts";

export interface NodeBounds {
  readonly lines: BoundedLines;
  readonly unknownAttempts: UnknownAttempts;
  readonly lostTaskRoom: LostTaskRoom;
  /** By orders of its machine. */
  readonly drainChanges: RecentChanges;
  /** By reports of its GPUs' health. */
  readonly gpuChanges: RecentChanges;
}

export function nodeBounds(clock: Pick<Clock, "monotonicMs">): NodeBounds {
  return {
    lines: new BoundedLines(clock),
    unknownAttempts: new UnknownAttempts(clock),
    lostTaskRoom: new LostTaskRoom(),
    drainChanges: new RecentChanges(clock, DRAIN_CHANGES),
    gpuChanges: new RecentChanges(clock, GPU_CHANGES),
  };
}
