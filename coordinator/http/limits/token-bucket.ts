/**
 * A token bucket as one number: the moment at which it will be full again (the generic cell rate algorithm). A
 * request moves that moment ahead by the time that one token takes; it may not be further ahead than the window.
 */

/** As many requests as come in this time at the allowed rate may also come at once. */
export const WINDOW_MS = 10_000;

export interface Rate {
  /** Requests in `WINDOW_MS`, at least 1. */
  readonly quota: number;
  /** What one request costs. */
  readonly tokenMs: number;
}

export function ratePerSecond(requests: number): Rate {
  const quota = Math.max(1, Math.floor((requests * WINDOW_MS) / 1000));
  return { quota, tokenMs: WINDOW_MS / quota };
}

/** When the bucket would be full again with one more request, or null if it has no token for it. */
export function withOneMore(fullAtMs: number, rate: Rate, nowMs: number): number | null {
  const next = Math.max(fullAtMs, nowMs) + rate.tokenMs;
  // A millionth of a token: what adding up fractions loses.
  return next - nowMs <= WINDOW_MS + rate.tokenMs * 1e-6 ? next : null;
}

export function remaining(fullAtMs: number, rate: Rate, nowMs: number): number {
  return Math.max(0, Math.floor((WINDOW_MS - Math.max(0, fullAtMs - nowMs)) / rate.tokenMs + 1e-6));
}

/** Until it has all of its tokens. */
export function secondsUntilFull(fullAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((fullAtMs - nowMs) / 1000));
}

/** Until it has a token. */
export function secondsUntilOne(fullAtMs: number, rate: Rate, nowMs: number): number {
  return Math.max(1, Math.ceil((fullAtMs + rate.tokenMs - WINDOW_MS - nowMs) / 1000));
}
