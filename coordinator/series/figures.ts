/** What is known of one service in one span of time. */
import type { Histogram } from "../domain/duration-histogram.ts";
import type { EndedPhase } from "../domain/usage-sums.ts";

export const ENDED_PHASES = [
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
  "expired",
] as const satisfies EndedPhase[];

/** How a service stands at one moment. */
export interface Sample {
  /** Tasks that wait. */
  readonly queued: number;
  readonly running: number;
  /** Those that are ready. */
  readonly workloads: number;
  /** Held by workloads, whether they work or not. */
  readonly gpus: number;
  /** Of these, the ones that work on a task. */
  readonly gpusBusy: number;
  /** Held by workloads. */
  readonly memoryBytes: number;
}

export const SAMPLED = [
  "queued",
  "running",
  "workloads",
  "gpus",
  "gpusBusy",
  "memoryBytes",
] as const satisfies (keyof Sample)[];

/** Of the tasks that ended. */
export interface EndedFigures {
  readonly tasks: Readonly<Record<EndedPhase, number>>;
  /** Their times in the queue and at work. */
  readonly queue: Histogram;
  readonly run: Histogram;
}

export interface Figures extends EndedFigures {
  /** Means; null where nothing was sampled. */
  readonly sampled: Sample | null;
}

export function totalOf(parts: readonly EndedFigures[]): EndedFigures {
  const tasks = { succeeded: 0, failed: 0, cancelled: 0, timed_out: 0, expired: 0 };
  const queue = new Map<number, number>();
  const run = new Map<number, number>();
  for (const part of parts) {
    for (const phase of ENDED_PHASES) tasks[phase] += part.tasks[phase];
    for (const [bucket, count] of part.queue) queue.set(bucket, (queue.get(bucket) ?? 0) + count);
    for (const [bucket, count] of part.run) run.set(bucket, (run.get(bucket) ?? 0) + count);
  }
  return { tasks, queue, run };
}

export const NO_FIGURES: Figures = { ...totalOf([]), sampled: null };

export interface Span {
  readonly from: number;
  readonly before: number;
}
