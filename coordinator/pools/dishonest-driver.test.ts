/** Bounds hold whatever a driver reports and does, in any order and at any pace; and nothing swings at constant demand. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pool } from "../domain/pool.ts";
import { poolComplaint } from "../domain/pool.ts";
import { isGrown, isHeld } from "../domain/pool-machine.ts";
import { aPool } from "../domain/testing/records.ts";
import { spendRate, spentInDay } from "./spend.ts";
import { demandOf, PoolWorld } from "./testing/pool-world.ts";

const HOUR_MS = 3_600_000;

const pools = fc
  .record({
    min: fc.nat(3),
    max: fc.nat(8),
    warmSpare: fc.nat(2),
    cooldownMs: fc.constantFrom(0, 60_000, 300_000),
    bootMs: fc.constantFrom(30_000, 600_000),
    costPerHour: fc.constantFrom(0, 0.1, 2),
    budgetPerHour: fc.option(fc.constantFrom(1, 6, 16)),
    budgetPerDay: fc.option(fc.constantFrom(10, 48, 200)),
  })
  .map((given) => aPool(given))
  .filter((pool) => poolComplaint(pool) === null);

/** What driver and machines do next, to one of the machines that there are. */
const deeds = fc.record({
  deed: fc.constantFrom(
    "names",
    "names as another",
    "joins",
    "joins without GPUs",
    "joins unrequested",
    "fails",
    "claims removal",
    "works",
    "rests",
    "is lost",
    "returns",
    "spot notice",
    "is evicted",
    "nothing",
  ),
  of: fc.nat(20),
  demand: fc.nat(12),
  afterMs: fc.constantFrom(100, 5_000, 60_000, HOUR_MS),
});
type Deed = typeof deeds extends fc.Arbitrary<infer D> ? D : never;

const ACTS: Readonly<Record<Deed["deed"], (world: PoolWorld, id: string) => void>> = {
  names: (world, id) => world.driverNames(id),
  "names as another": (world, id) => world.driverNames(id, "i-same"),
  joins: (world, id) => world.joins(id),
  "joins without GPUs": (world, id) => {
    world.joins(id);
    if (world.nodes.has(id)) world.changeNode(id, { inventory: { ...bare(world), gpus: [] } });
  },
  "joins unrequested": (world) => world.joinsUnrequested(),
  fails: (world, id) => world.driverFails(id),
  "claims removal": (world, id) => world.driverRemoved(id),
  works: (world, id) => world.changeNode(id, { idleSince: null }),
  rests: (world, id) => world.changeNode(id, { idleSince: world.now }),
  "is lost": (world, id) => unlessGone(world, id, { state: "lost", since: world.now }),
  returns: (world, id) =>
    unlessGone(world, id, { state: world.nodes.get(id)?.drains ? "draining" : "ready", since: world.now }),
  "spot notice": (world, id) => unlessGone(world, id, { drains: true, hasSpotNotice: true, state: "draining" }),
  "is evicted": (world, id) => world.changeNode(id, { state: "gone", since: world.now }),
  nothing: () => undefined,
};

function act(world: PoolWorld, { deed, of }: Deed): void {
  const ids = [...world.machines.keys()];
  ACTS[deed](world, ids[of % Math.max(1, ids.length)] ?? "");
}

function bare(world: PoolWorld) {
  const [node] = world.nodes.values();
  if (node === undefined) throw new Error("no node");
  return node.inventory;
}

function unlessGone(world: PoolWorld, id: string, change: Parameters<PoolWorld["changeNode"]>[1]): void {
  if (world.nodes.get(id)?.state !== "gone") world.changeNode(id, change);
}

test("never requests beyond the maximum or a budget, and never gives up the minimum, whatever the driver does", () => {
  fc.assert(
    fc.property(pools, fc.array(deeds, { maxLength: 60 }), (pool, all) => {
      const world = new PoolWorld(pool);
      for (const one of all) {
        act(world, one);
        const { grow, shrink } = world.turn(one.afterMs, demandOf(one.demand));
        const machines = [...world.machines.values()];
        if (grow.length > 0) {
          expect(world.existing().filter(isGrown).length).toBeLessThanOrEqual(pool.max);
          expect(spendRate(machines)).toBeLessThanOrEqual((pool.budgetPerHour ?? Number.POSITIVE_INFINITY) + 1e-6);
          const inAnHour = spentInDay(machines, world.now) + spendRate(machines);
          expect(inAnHour).toBeLessThanOrEqual((pool.budgetPerDay ?? Number.POSITIVE_INFINITY) + 1e-6);
        }
        if (shrink.length > 0) expect(machines.filter(isHeld).length).toBeGreaterThanOrEqual(pool.min);
      }
    }),
    { numRuns: 150 },
  );
});

test("evicts no node that something is on, unless its machine never came up or was lost", () => {
  fc.assert(
    fc.property(pools, fc.array(deeds, { maxLength: 60 }), (pool, all) => {
      const world = new PoolWorld(pool);
      for (const one of all) {
        act(world, one);
        const before = new Map(world.nodes);
        const machinesBefore = new Map(world.machines);
        world.turn(one.afterMs, demandOf(one.demand));
        for (const [id, { state }] of world.nodes) {
          const node = before.get(id);
          const machine = machinesBefore.get(id);
          if (state !== "gone" || node === undefined || node.state === "gone" || machine?.joinedAt == null) continue;
          expect(node.idleSince !== null || node.state === "lost").toBe(true);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test("requests the same however many join that nobody requested", () => {
  fc.assert(
    fc.property(pools, fc.array(deeds, { maxLength: 40 }), (pool, all) => {
      const [honest, crowded] = [new PoolWorld(pool), new PoolWorld(pool)];
      for (const one of all) {
        if (one.deed === "joins unrequested") crowded.joinsUnrequested();
        else for (const world of [honest, crowded]) actOnGrown(world, one);
        const demand = demandOf(one.demand);
        const decisions = [honest, crowded].map((world) => world.turn(one.afterMs, demand));
        const [alone, among] = decisions.map(({ grow, shrink, stop }) => ({
          grow,
          stop,
          drains: shrink.filter(isOwn),
        }));
        expect(among).toEqual(alone);
      }
      expect(crowded.removed.filter((id) => !isOwn(id))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

function actOnGrown(world: PoolWorld, { deed, of }: Deed): void {
  const ids = [...world.machines.keys()].filter(isOwn);
  ACTS[deed](world, ids[of % Math.max(1, ids.length)] ?? "");
}

/** By the ids that the world gives. */
function isOwn(id: string): boolean {
  return id.startsWith("m");
}

test("comes to rest at constant demand, and then neither grows nor shrinks", () => {
  const honest = pools.filter(({ max, budgetPerDay }: Pool) => max > 0 && budgetPerDay === null);
  fc.assert(
    fc.property(honest, fc.nat(10), fc.integer({ min: 1, max: 30 }), (pool, workloads, bootTurns) => {
      const world = new PoolWorld({ ...pool, bootMs: 600_000 });
      const requestedAt = new Map<string, number>();
      const history: number[] = [];
      for (let turn = 0; turn < 400; turn++) {
        for (const [id, at] of requestedAt) {
          if (turn - at !== bootTurns) continue;
          world.driverNames(id);
          world.joins(id);
        }
        const waiting = workloads - placeWork(world, workloads);
        const { grow, shrink } = world.turn(5_000, demandOf(waiting));
        for (const id of grow) requestedAt.set(id, turn);
        for (const { id, what } of world.calls) if (what === "shrink") world.driverRemoved(id);
        history.push(grow.length + shrink.length);
      }
      expect(history.slice(200).every((changes) => changes === 0)).toBe(true);
    }),
    { numRuns: 25 },
  );
});

/** One workload a machine; returns how many are placed. */
function placeWork(world: PoolWorld, workloads: number): number {
  const ready = [...world.nodes].filter(([, { state }]) => state === "ready");
  const busy = ready.filter(([, { idleSince }]) => idleSince === null);
  const free = ready.filter(([, { idleSince }]) => idleSince !== null);
  const placed = free.slice(0, Math.max(0, workloads - busy.length));
  for (const [id] of placed) world.changeNode(id, { idleSince: null });
  return Math.min(workloads, busy.length + placed.length);
}
