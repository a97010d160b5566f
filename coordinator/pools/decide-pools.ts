/**
 * Which pools grow, and which machine leaves. Pure: from the demand, the records, and what is known of each node.
 *
 * Bounds go first. A pool never has more machines than its maximum, counting those that its driver has not yet removed; it
 * requests none that a budget does not allow; none leaves below its minimum. What was requested counts as there until
 * its deadline, so that a demand is met once. Only idle machines leave, but where a bound is exceeded: then one drains,
 * which interrupts nothing. Machines that no driver added take part in none of this: whoever has a token of the pool can
 * have them join. They leave when they are idle or too many.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Demand } from "../domain/demand.ts";
import type { Pool } from "../domain/pool.ts";
import { exists, isComing, isGrown, isHeld, type PoolMachine } from "../domain/pool-machine.ts";
import { bootFailures, FAILED_ROUNDS_MAX } from "./boot-failures.ts";
import { type Covered, couldRun, coverDemand } from "./cover-demand.ts";
import type { NodeFacts } from "./node-facts.ts";
import { affordable, isDaySpent } from "./spend.ts";

export interface PoolsView {
  readonly demand: readonly Demand[];
  readonly pools: readonly Pool[];
  readonly machines: readonly PoolMachine[];
  readonly nodeOf: (nodeId: string) => NodeFacts | undefined;
}

export interface PoolDecision {
  readonly poolId: string;
  /** Ids of the machines to request. */
  readonly grow: readonly string[];
  /** Ids of the machines to drain. */
  readonly shrink: readonly string[];
  /** Why growth stops until an operator resumes it; null where it does not. */
  readonly stop: string | null;
  /** For a person: why it grows, shrinks, or does neither. */
  readonly reason: string;
}

/** One call of a driver each: what is more follows with the next decision. */
const GROW_AT_ONCE = 20;
/** A machine that has just joined is given work within a turn of the scheduler. */
const COOLDOWN_MS_MIN = 30_000;

interface Standing {
  readonly pool: Pool;
  /** Those that its driver added, or is to add. */
  readonly machines: readonly PoolMachine[];
  readonly held: readonly PoolMachine[];
  /** Held, and added by no driver. */
  readonly extra: readonly PoolMachine[];
  readonly coming: number;
  /** Joined, and nothing is there. */
  readonly idle: readonly Idle[];
  /** Of the extra ones. */
  readonly idleExtra: readonly Idle[];
  readonly mayGrow: Room;
}

interface Idle {
  readonly machine: PoolMachine;
  readonly since: Instant;
}

interface Room {
  readonly count: number;
  /** What bounds it. */
  readonly why: string;
}

export function decidePools(view: PoolsView, now: Instant, newId: () => string): readonly PoolDecision[] {
  const standings = view.pools.map((pool) => standingOf(view, pool, now));
  const covered = coverDemand(
    view.demand,
    standings.map(({ pool, coming, mayGrow }) => ({ pool, coming, mayGrow: mayGrow.count })),
  );
  return standings.map((standing) => {
    const { pool } = standing;
    const decision = decide(standing, covered.get(pool.id) ?? { unclaimed: 0, further: 0 }, view.demand, now, newId);
    return withoutExtra(standing, decision, view.demand, now);
  });
}

function standingOf({ machines, nodeOf }: PoolsView, pool: Pool, now: Instant): Standing {
  const all = machines.filter(({ poolId }) => poolId === pool.id);
  const own = all.filter(isGrown);
  const extra = all.filter((machine) => isHeld(machine) && !isGrown(machine));
  const idleOf = (some: readonly PoolMachine[]) =>
    some.flatMap((machine): Idle[] => {
      const facts = machine.state === "joined" && machine.nodeId !== null ? nodeOf(machine.nodeId) : undefined;
      return facts?.state === "ready" && facts.idleSince !== null ? [{ machine, since: facts.idleSince }] : [];
    });
  const held = own.filter(isHeld);
  const coming = held.filter(isComing).length;
  const room = mayGrow(pool, own, coming, now);
  return { pool, machines: own, held, extra, coming, idle: idleOf(own), idleExtra: idleOf(extra), mayGrow: room };
}

function mayGrow(pool: Pool, machines: readonly PoolMachine[], coming: number, now: Instant): Room {
  const below = pool.max - machines.filter(exists).length;
  const byBudget = affordable(pool, machines, now);
  const failures = bootFailures(pool, machines);
  if (pool.stopped !== null) return { count: 0, why: `growth is stopped: ${pool.stopped.reason}` };
  if (below <= 0) return { count: 0, why: `it has its maximum of ${pool.max} machines` };
  if (byBudget <= 0) return { count: 0, why: "another machine would exceed its budget" };
  if (failures.rounds > 0) {
    const why = `its last machine did not come up (${failures.lastReason})`;
    // One at a time, until one comes up.
    return { count: now >= failures.retryAt && coming === 0 ? 1 : 0, why };
  }
  return { count: Math.min(below, byBudget, GROW_AT_ONCE), why: "" };
}

function decide(
  standing: Standing,
  { unclaimed, further }: Covered,
  demand: readonly Demand[],
  now: Instant,
  newId: () => string,
): PoolDecision {
  const { pool, machines, held, idle, mayGrow } = standing;
  const failures = bootFailures(pool, machines);
  const nothing = { poolId: pool.id, grow: [], shrink: [], stop: null };
  if (pool.stopped === null && failures.rounds >= FAILED_ROUNDS_MAX) {
    const stop = `${failures.rounds} times in a row no machine came up, the last time since ${failures.lastReason}`;
    return { ...nothing, stop, reason: `growth is stopped: ${stop}` };
  }
  const overBound = boundExceeded(standing, now);
  if (overBound !== null) return { ...nothing, shrink: overBound.shrink, reason: overBound.reason };

  // What waits and fits nowhere will have the idle machines that it fits on before it has further ones.
  const spare = idle.length + unclaimed;
  const forSpare = Math.max(0, pool.warmSpare - spare);
  const forMin = Math.max(0, pool.min - held.length - further - forSpare);
  const wanted = further + forSpare + forMin;
  const count = Math.min(wanted, mayGrow.count);
  if (count > 0) {
    const why = further > 0 ? "for what waits" : forSpare > 0 ? "for its warm spare" : "for its minimum";
    return { ...nothing, grow: Array.from({ length: count }, newId), reason: `${count} more ${why}` };
  }
  if (wanted > 0) return { ...nothing, reason: mayGrow.why };
  const waiting = demand.some((one) => couldRun(pool, one));
  if (waiting && mayGrow.count === 0) return { ...nothing, reason: mayGrow.why };
  const shrink = removable(standing, spare, waiting, now);
  if (shrink.length > 0) return { ...nothing, shrink, reason: `${shrink.length} idle for ${pool.cooldownMs / 1000} s` };
  if (waiting) return { ...nothing, reason: "what waits is met by machines on their way" };
  return { ...nothing, reason: demand.length > 0 ? "what waits does not fit on its machines" : "nothing waits for it" };
}

/** Where there are more than the maximum, or the day's budget is spent: the idle ones first, one by one. */
function boundExceeded(
  { pool, machines, held, idle }: Standing,
  now: Instant,
): { readonly shrink: readonly string[]; readonly reason: string } | null {
  const isSpent = isDaySpent(pool, machines, now);
  const isOverMax = held.length > pool.max;
  if ((!isSpent && !isOverMax) || held.length <= pool.min) return null;
  const joined = held.filter(({ state }) => state === "joined");
  const first = idle[0]?.machine ?? joined.find(({ unrequested }) => unrequested === true) ?? joined.at(-1);
  const reason = isSpent
    ? "its budget of a day is spent"
    : `there are ${held.length} machines, and its maximum is ${pool.max}`;
  return { shrink: first === undefined ? [] : [first.id], reason };
}

/** In addition, of what no driver added: one that is too many, or those that are idle for the cooldown while nothing waits. */
function withoutExtra(
  { pool, held, extra, idleExtra }: Standing,
  decision: PoolDecision,
  demand: readonly Demand[],
  now: Instant,
): PoolDecision {
  const beyondMin = Math.max(0, held.length - decision.shrink.length + extra.length - pool.min);
  const leaves = (machines: readonly PoolMachine[], why: string): PoolDecision => {
    const shrink = machines.slice(0, beyondMin).map(({ id }) => id);
    const isOther = decision.grow.length > 0 || decision.shrink.length > 0 || decision.stop !== null;
    const reason = isOther || shrink.length === 0 ? decision.reason : why;
    return { ...decision, shrink: [...decision.shrink, ...shrink], reason };
  };
  const total = held.length + extra.length;
  if (total > pool.max) {
    const first = idleExtra[0]?.machine ?? extra.find(({ state }) => state === "joined");
    const why = `there are ${total} machines, and its maximum is ${pool.max}`;
    return leaves(first === undefined ? [] : [first], why);
  }
  if (demand.some((one) => couldRun(pool, one))) return decision;
  const cooldownMs = Math.max(COOLDOWN_MS_MIN, pool.cooldownMs);
  const idle = idleExtra.filter(({ since }) => now - since >= cooldownMs).map(({ machine }) => machine);
  return leaves(idle, `${idle.length} that nobody requested idle for ${cooldownMs / 1000} s`);
}

/** Those that are idle for the cooldown, beyond the minimum and the warm spare; the longest idle first. */
function removable(
  { pool, held, coming, idle }: Standing,
  spare: number,
  waiting: boolean,
  now: Instant,
): readonly string[] {
  if (waiting || coming > 0) return [];
  const grownAt = Math.max(...held.map(({ requestedAt }) => requestedAt));
  const cooldownMs = Math.max(COOLDOWN_MS_MIN, pool.cooldownMs);
  if (now - grownAt < cooldownMs) return [];
  const beyond = Math.min(spare - pool.warmSpare, held.length - pool.min);
  return idle
    .filter(({ since }) => now - since >= cooldownMs)
    .toSorted((a, b) => a.since - b.since || (a.machine.id < b.machine.id ? -1 : 1))
    .slice(0, Math.max(0, beyond))
    .map(({ machine }) => machine.id);
}
