/** Which points of time a client requests: in whole steps, and never more than are retained. */
import type { Instant } from "@elastic/std/clock.ts";
import { instantOf } from "../../public/timestamp.ts";
import { CLOCKS_APART_MS, COARSE_MS, COARSE_STEP_MS, FINE_MS } from "../../series/service-series.ts";
import { invalidRequest, type Problem } from "../problems/problem.ts";

export const STEPS_SECONDS = [60, 300, 600, 1800, 3600] as const;
const HOUR_MS = 3_600_000;

export interface MetricsQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly step?: number | undefined;
}

export interface RangeLimits {
  /** Before `to`, where `from` is left out. */
  readonly defaultMs: number;
  readonly pointsMax: number;
}

export interface MetricsRange {
  /** Multiples of the step. */
  readonly from: Instant;
  readonly before: Instant;
  readonly stepMs: number;
}

/** Throws the refusal of a range of which there are no points, or too many. */
export function metricsRange(query: MetricsQuery, now: Instant, { defaultMs, pointsMax }: RangeLimits): MetricsRange {
  const to = query.to === undefined ? now : Math.min(now, instantOf(query.to));
  const from = query.from === undefined ? to - defaultMs : instantOf(query.from);
  if (from >= to) throw refused("from", "must be before `to`, and before now");
  if (from < now - COARSE_MS - CLOCKS_APART_MS) throw refused("from", `at most ${COARSE_MS / HOUR_MS} hours ago`);
  const shortestMs = from < now - FINE_MS - CLOCKS_APART_MS ? COARSE_STEP_MS : 0;
  const fits = (stepMs: number) => stepMs >= shortestMs && (to - from) / stepMs <= pointsMax;
  const stepMs = 1000 * (query.step ?? STEPS_SECONDS.find((seconds) => fits(1000 * seconds)) ?? HOUR_MS / 1000);
  if (stepMs < shortestMs) {
    const detail = `at least ${shortestMs / 1000} for times more than ${FINE_MS / HOUR_MS} hours ago`;
    throw refused("step", detail);
  }
  if (!fits(stepMs)) throw refused("step", `too short: that would be more than ${pointsMax} points`);
  return { from: Math.floor(from / stepMs) * stepMs, before: Math.ceil(to / stepMs) * stepMs, stepMs };
}

export function spansOf({
  from,
  before,
  stepMs,
}: MetricsRange): readonly { readonly from: number; readonly before: number }[] {
  return Array.from({ length: (before - from) / stepMs }, (_, index) => {
    const start = from + index * stepMs;
    return { from: start, before: start + stepMs };
  });
}

function refused(name: string, detail: string): Problem {
  return invalidRequest([{ pointer: name, detail }]);
}
