/** What a runner is: something that runs tests, counts them, and reports where the time went. */
import type { Count } from "./count.ts";

export interface RunnerOptions {
  /** With the suites that take long. */
  readonly long: boolean;
  /** On CI a verdict is never reused, and what elsewhere is skipped for want of a program fails. */
  readonly ci: boolean;
}

export interface RunnerEnd {
  readonly count: Count;
  /** Sentences that belong next to the count at the end of the run. */
  readonly notes: readonly string[];
  readonly timings: readonly Timing[];
  /** Nothing was run: the verdict of an earlier run stands. */
  readonly reused?: true;
}

/** Where time went: into a phase of the runner, or into one file or program of tests. */
export interface Timing {
  readonly name: string;
  readonly kind: "phase" | "file";
  readonly seconds: number;
  /** Seconds by part, where a runner can measure them. */
  readonly parts?: Readonly<Record<string, number>>;
}

export type Runner = (options: RunnerOptions) => Promise<RunnerEnd>;

/** Runs `work` and returns its result with the seconds that it took. */
export async function timed<T>(work: () => Promise<T>): Promise<readonly [result: T, seconds: number]> {
  const began = performance.now();
  const result = await work();
  return [result, (performance.now() - began) / 1000];
}
