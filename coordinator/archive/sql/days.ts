/** A range of time as full days, whose tasks are counted already, and what is left at its ends. Pure. */
import type { Instant } from "@elastic/std/clock.ts";

const DAY_MS = 86_400_000;

/** In place of a day: the sum over all days. */
export const ALL_DAYS = -1;

export function dayOf(instant: Instant): number {
  return Math.floor(instant / DAY_MS);
}

export interface DaySplit {
  /** Full days from the first up to, not with, the second; null where there is no end to it. */
  readonly days: { readonly from: number | null; readonly before: number | null } | null;
  readonly rests: readonly { readonly from: Instant; readonly before: Instant }[];
}

/** Null for a range without that end. */
export function splitDays(from: Instant | null, before: Instant | null): DaySplit {
  const first = from === null ? null : Math.ceil(from / DAY_MS);
  const end = before === null ? null : dayOf(before);
  if (from !== null && before !== null && first !== null && end !== null && first > end) {
    return { days: null, rests: from < before ? [{ from, before }] : [] };
  }
  const rests = [];
  if (from !== null && first !== null) rests.push({ from, before: first * DAY_MS });
  if (before !== null && end !== null) rests.push({ from: end * DAY_MS, before });
  return {
    days: first !== null && first === end ? null : { from: first, before: end },
    rests: rests.filter((rest) => rest.from < rest.before),
  };
}
