import fc from "fast-check";
import { expect, test } from "vitest";
import { bucketOf, percentile } from "./duration-histogram.ts";

function histogramOf(durations: readonly number[]): Map<number, number> {
  const histogram = new Map<number, number>();
  for (const duration of durations) {
    const bucket = bucketOf(duration);
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
  }
  return histogram;
}

test("a percentile is within 2.3 % of the true one, whatever the durations", () => {
  const durations = fc.array(fc.integer({ min: 0, max: 604_800_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1), (all, share) => {
      const sorted = all.toSorted((a, b) => a - b);
      const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
      const estimated = percentile(histogramOf(all), share) ?? Number.NaN;
      expect(Math.abs(estimated - exact)).toBeLessThanOrEqual(0.023 * exact);
    }),
  );
});

test("of nothing there is no percentile", () => {
  expect(percentile(new Map(), 0.5)).toBeNull();
});
