/** Ids begin with the milliseconds of their creation, so times and beginnings of ids are ranges of ids. Pure. */
import type { Instant } from "@elastic/std/clock.ts";

const TIME_DIGITS = 12;
const ID_DIGITS = 32;
const TIME_MAX = 2 ** (4 * TIME_DIGITS) - 1;

export interface IdBounds {
  /** Created at or after. */
  readonly createdFrom?: Instant;
  readonly createdBefore?: Instant;
  /** What the id begins with; lower-case hexadecimal. */
  readonly idPrefix?: string;
}

/** Null is no bound. */
export interface IdRange {
  /** The first id that is in it. */
  readonly from: string | null;
  /** The first id after it. */
  readonly below: string | null;
}

/** The ids that satisfy all of the bounds. */
export function idRangeOf({ createdFrom, createdBefore, idPrefix }: IdBounds): IdRange {
  const from = createdFrom === undefined ? null : firstIdAt(createdFrom);
  const below = createdBefore === undefined ? null : firstIdAt(createdBefore);
  if (idPrefix === undefined) return { from, below };
  const first = idPrefix.padEnd(ID_DIGITS, "0");
  const next = firstIdAfter(idPrefix);
  return {
    from: from === null || from < first ? first : from,
    below: below === null || (next !== null && next < below) ? next : below,
  };
}

/** Below every id made at that time or later, and above all made before. */
export function firstIdAt(instant: Instant): string {
  const time = Math.min(Math.max(0, Math.ceil(instant)), TIME_MAX);
  return time.toString(16).padStart(TIME_DIGITS, "0").padEnd(ID_DIGITS, "0");
}

/** When it was made; 0 for the empty one, which is below every id. */
export function timeOfId(id: string): Instant {
  return id === "" ? 0 : Number.parseInt(id.slice(0, TIME_DIGITS), 16);
}

/** Null where no id is greater than all that begin so. */
function firstIdAfter(prefix: string): string | null {
  const next = (BigInt(`0x${prefix}`) + 1n).toString(16).padStart(prefix.length, "0");
  return next.length > prefix.length ? null : next.padEnd(ID_DIGITS, "0");
}
