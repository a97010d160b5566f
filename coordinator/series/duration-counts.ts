/**
 * A histogram of durations that takes the same memory however many it counts: 8 buckets to a doubling, two of
 * duration-histogram.ts each, up to three days. Percentiles of it are within 7 %.
 */
import { bucketOf } from "../domain/duration-histogram.ts";

const BUCKETS = 224;
const COUNT_MAX = 2 ** 16 - 1;

export class DurationCounts {
  readonly #counts = new Uint16Array(BUCKETS);

  add(durationMs: number): void {
    const bucket = Math.min((bucketOf(durationMs) + 1) >> 1, BUCKETS - 1);
    // Percentiles are of shares, which stay what they were.
    if (this.#counts[bucket] === COUNT_MAX) this.#halve();
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  /** Adds its counts to those of a histogram of duration-histogram.ts. */
  addTo(histogram: Map<number, number>): void {
    const counts = this.#counts;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = counts[bucket] ?? 0;
      if (count > 0) histogram.set(2 * bucket, (histogram.get(2 * bucket) ?? 0) + count);
    }
  }

  #halve(): void {
    for (const [bucket, count] of this.#counts.entries()) this.#counts[bucket] = count >> 1;
  }
}
