/**
 * The newest points of a series, one for each step of time; one that falls out is forgotten. Stored as columns, since there are
 * hundreds of points for each of hundreds of services.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { TaskUsage } from "../domain/task-usage.ts";
import { DurationCounts } from "./duration-counts.ts";
import { ENDED_PHASES, type Figures, SAMPLED, type Sample, type Span } from "./figures.ts";

/** The number of samples, and the sum of each of their values. */
const SUMS = 1 + SAMPLED.length;

export class PointRing {
  readonly #stepMs: number;
  readonly #size: number;
  /** Which step of time each point is of, counted since 1970. */
  readonly #steps: Float64Array;
  readonly #tasks: Uint32Array;
  readonly #sums: Float64Array;
  readonly #queue: (DurationCounts | undefined)[];
  readonly #run: (DurationCounts | undefined)[];

  constructor(stepMs: number, size: number) {
    this.#stepMs = stepMs;
    this.#size = size;
    this.#steps = new Float64Array(size);
    this.#tasks = new Uint32Array(size * ENDED_PHASES.length);
    this.#sums = new Float64Array(size * SUMS);
    this.#queue = new Array(size);
    this.#run = new Array(size);
  }

  addEnded({ phase, finishedAt, queueMs, runMs }: TaskUsage): void {
    const at = this.#pointOf(finishedAt);
    if (at === null) return;
    increase(this.#tasks, at * ENDED_PHASES.length + ENDED_PHASES.indexOf(phase), 1);
    if (queueMs !== null) addDuration(this.#queue, at, queueMs);
    if (runMs !== null) addDuration(this.#run, at, runMs);
  }

  addSample(sample: Sample, instant: Instant): void {
    const at = this.#pointOf(instant);
    if (at === null) return;
    increase(this.#sums, at * SUMS, 1);
    for (const [index, name] of SAMPLED.entries()) increase(this.#sums, at * SUMS + 1 + index, sample[name]);
  }

  /** All points of a span as one; both ends are multiples of the step. */
  figures({ from, before }: Span): Figures {
    const tasks = ENDED_PHASES.map(() => 0);
    const sums = new Float64Array(SUMS);
    const queue = new Map<number, number>();
    const run = new Map<number, number>();
    const last = before / this.#stepMs;
    for (let step = Math.max(from / this.#stepMs, last - this.#size); step < last; step++) {
      const at = step % this.#size;
      if (this.#steps[at] !== step) continue;
      for (const index of tasks.keys()) increase(tasks, index, this.#tasks[at * ENDED_PHASES.length + index] ?? 0);
      for (const index of sums.keys()) increase(sums, index, this.#sums[at * SUMS + index] ?? 0);
      this.#queue[at]?.addTo(queue);
      this.#run[at]?.addTo(run);
    }
    return { tasks: record(ENDED_PHASES, tasks), queue, run, sampled: means(sums) };
  }

  /** Null for a moment that has fallen out. */
  #pointOf(instant: Instant): number | null {
    const step = Math.floor(instant / this.#stepMs);
    const at = step % this.#size;
    const known = this.#steps[at] ?? 0;
    if (known > step) return null;
    if (known < step) {
      this.#steps[at] = step;
      this.#tasks.fill(0, at * ENDED_PHASES.length, (at + 1) * ENDED_PHASES.length);
      this.#sums.fill(0, at * SUMS, (at + 1) * SUMS);
      this.#queue[at] = undefined;
      this.#run[at] = undefined;
    }
    return at;
  }
}

function addDuration(counts: (DurationCounts | undefined)[], at: number, durationMs: number): void {
  const ofPoint = counts[at] ?? new DurationCounts();
  counts[at] = ofPoint;
  ofPoint.add(durationMs);
}

function increase(numbers: number[] | Uint32Array | Float64Array, at: number, by: number): void {
  numbers[at] = (numbers[at] ?? 0) + by;
}

function means([samples = 0, ...sums]: Float64Array): Sample | null {
  if (samples === 0) return null;
  return record(
    SAMPLED,
    sums.map((sum) => sum / samples),
  );
}

function record<K extends string>(names: readonly K[], values: readonly number[]): Record<K, number> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? 0])) as Record<K, number>;
}
