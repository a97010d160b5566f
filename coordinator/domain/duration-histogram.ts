/**
 * Durations as counts in buckets that grow by a sixteenth of a doubling (4.4 %): percentiles of any number of tasks
 * from a few hundred numbers that add up over services, hours and coordinators, each within 2.3 % of the true one.
 */

const BUCKETS_PER_DOUBLING = 16;

/** Bucket 0 is no time at all; bucket b holds durations from 2^((b-1)/16) ms up to the next. */
export function bucketOf(durationMs: number): number {
  if (durationMs < 1) return 0;
  return 1 + Math.floor(BUCKETS_PER_DOUBLING * Math.log2(durationMs));
}

/** The middle of a bucket. */
function durationOf(bucket: number): number {
  return bucket === 0 ? 0 : 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING);
}

/** Tasks by bucket. */
export type Histogram = ReadonlyMap<number, number>;

/** The duration that a share of all does not exceed; null of none. */
export function percentile(histogram: Histogram, share: number): number | null {
  let all = 0;
  for (const count of histogram.values()) all += count;
  if (all === 0) return null;
  let left = Math.max(1, Math.ceil(share * all));
  const buckets = [...histogram.keys()].sort((a, b) => a - b);
  for (const bucket of buckets) {
    left -= histogram.get(bucket) ?? 0;
    if (left <= 0) return durationOf(bucket);
  }
  return null;
}
