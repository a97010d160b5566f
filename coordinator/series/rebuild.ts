/**
 * Adds the tasks that ended before this process started, from the archive: the newest first, so that what is requested most is
 * there soonest. Reads as much as it worked and rests as long, since others wait for this thread.
 */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import type { Archive, EndedTask } from "../archive/archive.ts";

const PAGE_TASKS = 500;
/** A day of two tasks a second; of a busier one the newest part. */
const TASKS_MAX = 200_000;
const AWAY_PAUSE_MS = 5_000;
/** After that the day begins with this process. */
const FAILURES_MAX = 60;

export interface RebuildOptions {
  readonly archive: Pick<Archive, "newest">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Logger;
  /** Tasks created before are left out. */
  readonly from: Instant;
  /** Whether it was counted already, from the store. */
  readonly isCounted: (taskId: string) => boolean;
  readonly onTask: (task: EndedTask) => void;
  /** All tasks that were created from then on have been added. */
  readonly onReadBackTo: (instant: Instant) => void;
  readonly tasksMax?: number;
}

export async function rebuild(options: RebuildOptions, signal: AbortSignal): Promise<void> {
  const { archive, clock, log, from, isCounted, onTask, onReadBackTo, tasksMax = TASKS_MAX } = options;
  let olderThan: string | null = null;
  let failures = 0;
  for (let left = tasksMax; left > 0 && failures < FAILURES_MAX && !signal.aborted; ) {
    try {
      const startedMs = clock.monotonicMs();
      const limit = Math.min(PAGE_TASKS, left);
      const page: readonly EndedTask[] = await archive.newest({ from, olderThan, limit });
      for (const task of page) if (!isCounted(task.id)) onTask(task);
      const last = page.at(-1);
      if (last === undefined || page.length < limit) {
        onReadBackTo(from);
        return;
      }
      olderThan = last.id;
      left -= page.length;
      failures = 0;
      onReadBackTo(last.createdAt);
      await pause(clock.monotonicMs() - startedMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      log.warn({ err: error, retryInMs: AWAY_PAUSE_MS }, "ended tasks cannot be read from the archive");
      await pause(AWAY_PAUSE_MS, signal);
    }
  }
}
