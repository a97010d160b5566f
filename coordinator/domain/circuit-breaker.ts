/**
 * The mass-failure circuit breaker: while most of the fleet is gone at once, no node is declared lost and nothing is requeued
 * (scheduler/decide/judge-nodes.ts). The leader writes here whether it is open, for operators to see; there is one record at most.
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface CircuitBreaker {
  readonly id: typeof MASS_FAILURE;
  /** Since when it is open; null while it is closed. */
  readonly openSince: Instant | null;
}

export const MASS_FAILURE = "mass-failure";

/** The record as it should be, or null where `before` says the same. */
export function breakerChanged(
  before: CircuitBreaker | undefined,
  isOpen: boolean,
  now: Instant,
): CircuitBreaker | null {
  const wasOpen = before !== undefined && before.openSince !== null;
  return wasOpen === isOpen ? null : { id: MASS_FAILURE, openSince: isOpen ? now : null };
}
