/**
 * How fast one endpoint is sent to, by how it did so far. One that is slow, away or requests a pause is `unproven`: it
 * is sent one at a time, in the lane of such endpoints, after a pause that grows. One that takes what it is sent is proven
 * at once. Pure.
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface Pace {
  readonly proven: boolean;
  /** Slow tries since the last that was taken. */
  readonly strikes: number;
  /** Nothing is sent before. */
  readonly heldUntil: Instant;
}

export const NEW_PACE: Pace = { proven: false, strikes: 0, heldUntil: 0 };

/** `refused`: it responded, but not with a 2xx. `slow`: it is overloaded, away, or took too long. */
export type Verdict = "taken" | "refused" | "slow";

const HOLD_MS_MIN = 2_000;
const HOLD_MS_MAX = 60_000;
/** A receiver may hold back what is meant for it, but not for ever. */
const REQUESTED_MS_MAX = 3_600_000;

/** Statuses by which a receiver, or what stands before it, says that it cannot keep up. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const AWAY: ReadonlySet<string> = new Set(["timeout", "connect_failed", "name_unknown", "broken"]);

export function judge(tried: { readonly status: number | null; readonly error: string | null }): Verdict {
  const { status, error } = tried;
  if (error !== null) return AWAY.has(error) ? "slow" : "refused";
  if (status !== null && OVERLOADED.has(status)) return "slow";
  return status !== null && status < 300 ? "taken" : "refused";
}

export function paceAfter(pace: Pace, verdict: Verdict, retryAfterMs: number | null, now: Instant): Pace {
  if (verdict === "taken") return { proven: true, strikes: 0, heldUntil: 0 };
  const requestedMs = Math.min(retryAfterMs ?? 0, REQUESTED_MS_MAX);
  if (verdict === "refused") return { ...pace, heldUntil: now + requestedMs };
  const holdMs = Math.min(HOLD_MS_MIN * 2 ** Math.min(pace.strikes, 10), HOLD_MS_MAX);
  return { proven: false, strikes: pace.strikes + 1, heldUntil: now + Math.max(holdMs, requestedMs) };
}
