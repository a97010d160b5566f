/** When a delivery is tried: as the Standard Webhooks specification recommends, ten times within some three days. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits before the second try, the third, and so on. The first goes at once. */
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

export const TRIES_MAX = WAITS_MS.length + 1;

/** So that what failed together does not come back together: up to this much later. */
const JITTER = 0.1;
/** A receiver may request more time, but not without end. */
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;

/**
 * Milliseconds from the end of the `tries`th try to the next; null when there is none. `random` is from 0 to 1;
 * `retryAfterMs` is what the receiver requested, if it did: it makes the wait longer, never shorter.
 */
export function waitAfter(tries: number, random: number, retryAfterMs: number | null): number | null {
  const wait = WAITS_MS[tries - 1];
  if (wait === undefined) return null;
  const requested = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return Math.max(Math.round(wait * (1 + JITTER * random)), requested);
}
