/** What a pool's machines cost: those that its driver added. Pure. */
import type { Instant } from "@elastic/std/clock.ts";
import { DAY_MS, type Pool } from "../domain/pool.ts";
import { exists, isGrown, type PoolMachine } from "../domain/pool-machine.ts";

const HOUR_MS = 3_600_000;

/** In the 24 hours before `now`; from the request of each machine until its driver has removed it. */
export function spentInDay(machines: readonly PoolMachine[], now: Instant): number {
  return machines.filter(isGrown).reduce((total, { requestedAt, releasedAt, costPerHour }) => {
    const from = Math.max(requestedAt, now - DAY_MS);
    return total + (costPerHour * Math.max(0, (releasedAt ?? now) - from)) / HOUR_MS;
  }, 0);
}

/** An hour, with all that exist now. */
export function spendRate(machines: readonly PoolMachine[]): number {
  return machines
    .filter((one) => isGrown(one) && exists(one))
    .reduce((total, { costPerHour }) => total + costPerHour, 0);
}

/** How many more machines the budgets allow: of a day so that all of them can run for an hour. */
export function affordable(pool: Pool, machines: readonly PoolMachine[], now: Instant): number {
  const { costPerHour, budgetPerHour, budgetPerDay } = pool;
  if (costPerHour === 0) return Number.POSITIVE_INFINITY;
  const rate = spendRate(machines);
  const leftOfHour = budgetPerHour === null ? Number.POSITIVE_INFINITY : budgetPerHour - rate;
  const leftOfDay = budgetPerDay === null ? Number.POSITIVE_INFINITY : budgetPerDay - spentInDay(machines, now) - rate;
  return Math.max(0, Math.floor(Math.min(leftOfHour, leftOfDay) / costPerHour + ROUNDING));
}

/** Sums of prices such as 0.1 are a little off. */
const ROUNDING = 1e-9;

export function isDaySpent({ budgetPerDay }: Pool, machines: readonly PoolMachine[], now: Instant): boolean {
  return budgetPerDay !== null && spentInDay(machines, now) >= budgetPerDay;
}
