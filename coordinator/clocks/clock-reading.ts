/**
 * What another machine's clock showed, and when. Messages went there and back: what was sent at `sentMs` was held there
 * for `heldMs`, and what was received at `receivedMs` shows the other wall clock as of between the two. So half the time
 * on the way bounds the error, however slow the way was; only monotonic clocks measure it.
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface ClockReading {
  readonly wallMs: Instant;
  /** When it showed that, on this process's monotonic clock. */
  readonly atMs: number;
  readonly errorMs: number;
}

export interface Echo {
  readonly wallMs: Instant;
  readonly sentMs: number;
  readonly heldMs: number;
  readonly receivedMs: number;
}

/** Null where the times cannot be: of another message, or of an invalid one. */
export function readEcho({ wallMs, sentMs, heldMs, receivedMs }: Echo): ClockReading | null {
  const errorMs = (receivedMs - sentMs - heldMs) / 2;
  if (!(errorMs >= 0 && heldMs >= 0 && Number.isSafeInteger(wallMs))) return null;
  return { wallMs, atMs: receivedMs - errorMs, errorMs };
}
