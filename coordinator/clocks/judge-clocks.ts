/**
 * Whether this machine's clock is right, by all clocks that are known: the median of them decides, once more than half of
 * them are within two seconds of each other. Then the median is one of theirs, or between two, whatever the others show.
 * Pure.
 */

/** A clock that is further off does not lead. */
export const CLOCK_TOLERANCE_MS = 2_000;
/** Of one that was off: it has to be closer than that before it counts as right again. */
const RIGHT_AGAIN_MS = 1_000;
/** A reading that may be wrong by more shows nothing. */
export const READING_ERROR_MS_MAX = 500;

/** Another machine's clock, compared with this one's. */
export interface KnownClock {
  readonly aheadMs: number;
  /** By how much that may be wrong, in either direction. */
  readonly errorMs: number;
}

/** `alone`: no other clock is known. */
export type ClockStanding = "alone" | "agrees" | "off" | "no_majority";

export interface ClockVerdict {
  readonly standing: ClockStanding;
  /** By how much this machine's clock is ahead of the median of all; negative where it is behind. */
  readonly offsetMs: number;
  /** Clocks that are known, this one included. */
  readonly known: number;
  /** The most of them that are within two seconds of each other. */
  readonly agreeing: number;
}

export function judgeClocks(others: readonly KnownClock[], before: ClockStanding): ClockVerdict {
  const readable = others.filter(({ errorMs }) => errorMs <= READING_ERROR_MS_MAX);
  const sorted = [0, ...readable.map(({ aheadMs }) => aheadMs)].sort((a, b) => a - b);
  const known = sorted.length;
  const agreeing = largestGroup(sorted);
  // Not minus zero.
  const offsetMs = 0 - medianOf(sorted);
  const toleranceMs = before === "off" ? RIGHT_AGAIN_MS : CLOCK_TOLERANCE_MS;
  const standing = (): ClockStanding => {
    if (known === 1) return "alone";
    if (2 * agreeing <= known) return "no_majority";
    return Math.abs(offsetMs) < toleranceMs ? "agrees" : "off";
  };
  return { standing: standing(), offsetMs, known, agreeing };
}

/** The size of the largest group of neighbours within the tolerance of each other. */
function largestGroup(sorted: readonly number[]): number {
  let largest = 0;
  let from = 0;
  sorted.forEach((last, to) => {
    while (last - (sorted[from] ?? last) > CLOCK_TOLERANCE_MS) from += 1;
    largest = Math.max(largest, to - from + 1);
  });
  return largest;
}

function medianOf(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return Math.round((lower + upper) / 2);
}
