import { expect, test } from "vitest";
import { timestamp } from "../../public/timestamp.ts";
import { Problem } from "../problems/problem.ts";
import { type MetricsQuery, metricsRange, spansOf } from "./metrics-range.ts";

const NOW = Date.parse("2026-01-02T12:34:56Z");
const HOUR_MS = 3_600_000;
const LIMITS = { defaultMs: HOUR_MS, pointsMax: 200 };

function requested(query: MetricsQuery): string {
  try {
    const { from, before, stepMs } = metricsRange(query, NOW, LIMITS);
    return `${timestamp(from)} ${timestamp(before)} ${stepMs / 1000}`;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return JSON.stringify(error.errors);
  }
}

const ago = (ms: number) => timestamp(NOW - ms);

test("is the last hour by the minute where the request names no time", () => {
  expect(requested({})).toBe("2026-01-02T11:34:00 2026-01-02T12:35:00 60");
  expect(spansOf(metricsRange({}, NOW, LIMITS))).toHaveLength(61);
});

test("is in whole steps, the shortest that fit", () => {
  expect(requested({ from: ago(24 * HOUR_MS) })).toBe("2026-01-01T12:30:00 2026-01-02T12:40:00 600");
  expect(requested({ from: ago(3 * HOUR_MS) })).toBe("2026-01-02T09:34:00 2026-01-02T12:35:00 60");
  expect(requested({ from: ago(24 * HOUR_MS), step: 3600 })).toBe("2026-01-01T12:00:00 2026-01-02T13:00:00 3600");
  expect(requested({ from: ago(2 * HOUR_MS), to: ago(HOUR_MS), step: 300 })).toBe(
    "2026-01-02T10:30:00 2026-01-02T11:35:00 300",
  );
});

test("refuses what is not retained and what is too much", () => {
  expect(requested({ from: ago(25 * HOUR_MS) })).toContain("at most 24 hours ago");
  expect(requested({ from: ago(4 * HOUR_MS), step: 60 })).toContain("at least 600");
  expect(requested({ from: ago(HOUR_MS), to: ago(2 * HOUR_MS) })).toContain("must be before");
  expect(requested({ from: timestamp(NOW + HOUR_MS) })).toContain("must be before");
});
