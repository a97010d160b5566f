/** The range of a request for usage, in whole hours or days. Pure. */

import type { Instant } from "@elastic/std/clock.ts";
import { z } from "zod";
import { instantOf, timeQuerySchema } from "../../public/timestamp.ts";
import { HOUR_MS } from "../../public/usage-record.ts";
import { invalidRequest } from "../problems/problem.ts";

export const DAY_MS = 24 * HOUR_MS;
/** The years that a timestamp can name. */
const FIRST_MS = instantOf("0000-01-01T00:00:00");
const LAST_MS = instantOf("9999-12-31T23:59:59");
const DEFAULT_MS = 30 * DAY_MS;
/** A quarter: each hour of each service is looked at. */
const RANGE_DAYS_MAX = 93;

/** `what` a time is rounded to, such as `hour`. */
export function rangeQuerySchema(what: string) {
  return z.object({
    from: timeQuerySchema.optional().describe(`Rounded down to the ${what}; 30 days before \`to\` if left out.`),
    to: timeQuerySchema.optional().describe(`Rounded up to the ${what}; now if left out.`),
  });
}

export interface RangeQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface HourRange {
  readonly fromHour: number;
  /** The first that is not in it. */
  readonly beforeHour: number;
}

/** In whole units of `unitMs`, which are whole hours. Throws the refusal of a time that is empty or too long. */
export function hoursOf({ from, to }: RangeQuery, now: Instant, unitMs: number): HourRange {
  const before = unitMs * Math.ceil((to === undefined ? now : instantOf(to)) / unitMs);
  const first = unitMs * Math.floor((from === undefined ? before - DEFAULT_MS : instantOf(from)) / unitMs);
  if (before > LAST_MS) throw refused("to", "must be before the last day of the year 9999");
  if (first < FIRST_MS) throw refused("from", "must be in the year 0000 or later; 30 days before `to` if left out");
  if (first >= before) throw refused("from", "must be before `to`");
  if (before - first > RANGE_DAYS_MAX * DAY_MS) {
    throw refused("from", `at most ${RANGE_DAYS_MAX} days before \`to\`: request a longer time in parts`);
  }
  return { fromHour: first / HOUR_MS, beforeHour: before / HOUR_MS };
}

function refused(parameter: "from" | "to", detail: string) {
  return invalidRequest([{ pointer: parameter, detail }]);
}
