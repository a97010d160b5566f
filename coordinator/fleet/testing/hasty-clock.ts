import { type Clock, systemClock } from "@elastic/std/clock.ts";

/** Nodes are lost in half the time. Twice the pace is less than what a scheduler takes for having slept. */
export const hasty: Clock = {
  now: () => systemClock.now(),
  monotonicMs: () => 2 * systemClock.monotonicMs(),
};
