import { expect, test } from "vitest";
import { isMachineForgotten, released } from "../domain/pool-machine.ts";
import { aPool, aPoolMachine } from "../domain/testing/records.ts";
import { FAILED_ROUNDS_MAX } from "./boot-failures.ts";
import { coverDemand } from "./cover-demand.ts";
import { demandOf, PoolWorld } from "./testing/pool-world.ts";

const TURN_MS = 5_000;

/** A pool with so many machines that have joined and are idle. */
function withIdle(count: number, given: Parameters<typeof aPool>[0] = {}): PoolWorld {
  const world = new PoolWorld(aPool(given));
  const { max, warmSpare } = world.pool;
  world.pool = { ...world.pool, max: count, warmSpare: count };
  for (const id of world.turn(TURN_MS, []).grow) {
    world.driverNames(id);
    world.joins(id);
  }
  world.turn(TURN_MS, []);
  world.pool = { ...world.pool, max, warmSpare };
  return world;
}

test("requests a machine for each workload that fits on none, once, up to the maximum", () => {
  const world = new PoolWorld(aPool({ max: 3 }));
  expect(world.turn(TURN_MS, demandOf(2)).grow).toHaveLength(2);
  expect(world.turn(TURN_MS, demandOf(2))).toMatchObject({
    grow: [],
    reason: "what waits is met by machines on their way",
  });
  expect(world.turn(TURN_MS, demandOf(5)).grow).toHaveLength(1);
  expect(world.turn(TURN_MS, demandOf(5))).toMatchObject({ grow: [], reason: "it has its maximum of 3 machines" });
});

test("requests as many machines as the workloads take of their GPUs, of the pool where that is cheapest", () => {
  const small = aPool({ id: "small", costPerHour: 3, max: 1 });
  const large = aPool({ id: "large", costPerHour: 16, max: 9, offer: { gpuCount: 8, slots: 8, memoryBytes: 2 ** 36 } });
  const of = (pool: typeof small) => ({ pool, coming: 0, mayGrow: pool.max });
  const covered = coverDemand(demandOf(9), [of(small), of(large)]);
  expect([covered.get("small")?.further, covered.get("large")?.further]).toEqual([0, 2]);
  const cheap = { ...small, costPerHour: 1 };
  const other = coverDemand(demandOf(9), [of(cheap), of(large)]);
  expect([other.get("small")?.further, other.get("large")?.further]).toEqual([1, 1]);
  // Slots are no GPUs, and memory is shared.
  const roomy = aPool({ id: "roomy", max: 9, offer: { gpuCount: 2, slots: 8, memoryBytes: 2 ** 36 } });
  expect(coverDemand(demandOf(3), [of(roomy)]).get("roomy")?.further).toBe(2);
  const scarce = { ...roomy, offer: { ...roomy.offer, gpuCount: 8, memoryBytes: 2 ** 29 } };
  expect(coverDemand(demandOf(3), [of(scarce)]).get("roomy")?.further).toBe(2);
});

test("requests nothing of a pool whose machines could not run what waits", () => {
  const world = new PoolWorld(aPool({ offer: { gpuType: "NVIDIA L4" } }));
  expect(world.turn(TURN_MS, demandOf(2))).toMatchObject({
    grow: [],
    reason: "what waits does not fit on its machines",
  });
  expect(world.turn(TURN_MS, [])).toMatchObject({ grow: [], reason: "nothing waits for it" });
});

test("keeps its minimum, and its warm spare beyond what is at work", () => {
  const world = new PoolWorld(aPool({ min: 1, max: 4, warmSpare: 1 }));
  const [first = ""] = world.turn(TURN_MS, []).grow;
  expect(world.machines.size).toBe(1);
  world.driverNames(first);
  world.joins(first);
  expect(world.turn(TURN_MS, []).grow).toEqual([]);
  world.changeNode(first, { idleSince: null });
  expect(world.turn(TURN_MS, [])).toMatchObject({ grow: [expect.anything()], reason: "1 more for its warm spare" });
  expect(world.turn(TURN_MS, []).grow).toEqual([]);
});

test("removes what is idle for the cooldown, and neither the minimum nor the warm spare", () => {
  const world = withIdle(4, { min: 1, max: 4, cooldownMs: 60_000 });
  expect(world.turn(30_000, []).shrink).toEqual([]);
  expect(world.turn(30_000, []).shrink).toHaveLength(3);
  const spare = withIdle(4, { warmSpare: 2, cooldownMs: 60_000 });
  expect(spare.turn(60_000, []).shrink).toHaveLength(2);
  const busy = withIdle(1, { cooldownMs: 60_000 });
  busy.changeNode("m1", { idleSince: null });
  expect(busy.turn(60_000, []).shrink).toEqual([]);
});

test("evicts a machine that drains once it is empty, has its driver remove it", () => {
  const world = withIdle(1, { cooldownMs: 60_000 });
  expect(world.turn(60_000, []).shrink).toEqual(["m1"]);
  world.changeNode("m1", { idleSince: null });
  world.turn(3_600_000, []);
  expect([world.nodes.get("m1")?.state, world.calls]).toEqual(["draining", []]);
  world.changeNode("m1", { idleSince: world.now });
  world.turn(TURN_MS, []);
  expect(world.nodes.get("m1")?.state).toBe("gone");
  world.turn(TURN_MS, []);
  expect(world.calls).toEqual([{ id: "m1", what: "shrink" }]);
  world.driverFails("m1");
  world.turn(1_000, []);
  expect(world.calls).toEqual([]);
  world.turn(TURN_MS, []);
  expect(world.calls).toHaveLength(1);
  world.driverRemoved("m1");
  world.turn(TURN_MS, []);
  expect(world.calls).toEqual([]);
  const machine = world.machines.get("m1");
  const isForgotten = (hours: number) => machine && isMachineForgotten(machine, world.now + hours * 3_600_000);
  expect([isForgotten(24), isForgotten(25)]).toEqual([false, true]);
});

test("requests none that the budget of an hour, or of a day, does not allow", () => {
  const world = new PoolWorld(aPool({ max: 9, costPerHour: 2, budgetPerHour: 5 }));
  expect(world.turn(TURN_MS, demandOf(9)).grow).toHaveLength(2);
  expect(world.turn(TURN_MS, demandOf(9)).reason).toBe("another machine would exceed its budget");
  const day = new PoolWorld(aPool({ max: 9, costPerHour: 2, budgetPerDay: 12 }));
  expect(day.turn(TURN_MS, demandOf(9)).grow).toHaveLength(6);
  expect(day.turn(TURN_MS, demandOf(9)).grow).toEqual([]);
});

test("drains machines once the budget of a day is spent, and grows again when it is not", () => {
  const world = withIdle(3, { max: 3, costPerHour: 2, budgetPerDay: 12 });
  for (const id of world.machines.keys()) world.changeNode(id, { idleSince: null });
  const spent = world.turn(2 * 3_600_000, demandOf(1));
  expect(spent).toMatchObject({ shrink: [expect.anything()], reason: "its budget of a day is spent" });
  world.turn(TURN_MS, demandOf(1));
  world.turn(TURN_MS, demandOf(1));
  expect([...world.machines.values()].map(({ state }) => state)).toEqual(["draining", "draining", "draining"]);
  for (const [id, machine] of world.machines) world.machines.set(id, released(machine, world.now));
  expect(world.turn(TURN_MS, demandOf(1)).grow).toEqual([]);
  expect(world.turn(23 * 3_600_000, demandOf(1)).grow).toHaveLength(1);
});

test("backs off after a machine that did not come up, one at a time, and stops growth after five", () => {
  const world = new PoolWorld(aPool({ max: 4, bootMs: 60_000 }));
  let requests = 0;
  for (let seconds = 0; seconds < 6_000; seconds += 5) {
    const { grow } = world.turn(TURN_MS, demandOf(4));
    if (requests > 0) expect(grow.length).toBeLessThanOrEqual(1);
    requests += grow.length > 0 ? 1 : 0;
    for (const { id, what } of world.calls) if (what === "shrink") world.driverRemoved(id);
  }
  expect(requests).toBe(FAILED_ROUNDS_MAX);
  expect(world.pool.stopped?.reason).toMatch(
    /^5 times in a row no machine came up, .*its driver did not add it within 60 s/,
  );
  world.pool = { ...world.pool, stopped: null, resumedAt: world.now };
  expect(world.turn(TURN_MS, demandOf(4)).grow).toHaveLength(4);
});

test("counts a machine that joins without what the pool offers as one that did not come up", () => {
  const world = new PoolWorld(aPool());
  const [id = ""] = world.turn(TURN_MS, demandOf(1)).grow;
  world.driverNames(id);
  world.joins(id);
  world.changeNode(id, { inventory: { ...world.nodes.get(id)?.inventory, gpus: [] } as never });
  world.turn(TURN_MS, demandOf(1));
  expect(world.machines.get(id)).toMatchObject({
    state: "releasing",
    failure: { reason: "it is not what the pool offers: it has 0 of 1 GPUs of NVIDIA H100 80GB HBM3" },
  });
  expect(world.nodes.get(id)?.state).toBe("gone");
});

test("drains what has a spot notice at once, and replaces it where work waits", () => {
  const world = withIdle(1, { max: 2 });
  world.changeNode("m1", { idleSince: null, drains: true, hasSpotNotice: true, state: "draining" });
  expect(world.turn(TURN_MS, demandOf(1)).grow).toHaveLength(1);
  expect(world.machines.get("m1")?.state).toBe("draining");
});

test("keeps a machine that an operator resumes while it drains", () => {
  const world = withIdle(1, { cooldownMs: 60_000 });
  world.turn(60_000, []);
  world.changeNode("m1", { drains: false, state: "ready", idleSince: world.now });
  world.turn(TURN_MS, []);
  expect(world.machines.get("m1")?.state).toBe("joined");
});

test("has the driver remove a machine whose node is lost for ten minutes or was evicted", () => {
  const world = withIdle(2, { max: 2, cooldownMs: 3_600_000 });
  world.changeNode("m1", { state: "lost", since: world.now, idleSince: null });
  world.changeNode("m2", { state: "gone" });
  world.turn(TURN_MS, []);
  expect([world.machines.get("m1")?.state, world.machines.get("m2")?.state]).toEqual(["joined", "releasing"]);
  world.turn(600_000, []);
  expect(world.machines.get("m1")).toMatchObject({ state: "releasing", failure: { reason: "its node was lost" } });
});

test("drains one by one what is beyond the maximum, first what nobody requested", () => {
  const world = withIdle(2, { max: 2, cooldownMs: 3_600_000 });
  for (const id of ["m1", "m2"]) world.changeNode(id, { idleSince: null });
  world.joinsUnrequested();
  world.turn(TURN_MS, []);
  world.changeNode("u1", { idleSince: null });
  expect(world.turn(TURN_MS, [])).toMatchObject({ shrink: [], grow: [] });
  expect(world.machines.get("u1")?.state).toBe("draining");
});

test("counts machines of other pools for nothing", () => {
  const world = new PoolWorld(aPool({ max: 1 }));
  const other = aPoolMachine({ id: "other", costPerHour: 1 }, { id: "x" });
  world.machines.set("x", other);
  expect(world.turn(TURN_MS, demandOf(1)).grow).toHaveLength(1);
});

test("neither spends a budget on machines that nobody requested, nor counts them for its bounds, nor has them removed", () => {
  const world = withIdle(4, { max: 8, costPerHour: 2.5, budgetPerHour: 20, budgetPerDay: 200, cooldownMs: 3_600_000 });
  for (const id of world.machines.keys()) world.changeNode(id, { idleSince: null });
  world.turn(TURN_MS, []);
  for (let count = 0; count < 496; count++) world.joinsUnrequested();
  const { grow, shrink, reason } = world.turn(600_000, demandOf(2));
  expect([grow.length, shrink, reason]).toEqual([2, ["u1"], "2 more for what waits"]);
  world.turn(TURN_MS, []);
  world.turn(TURN_MS, []);
  expect(world.machines.get("u1")).toMatchObject({
    state: "released",
    failure: { reason: "its driver did not add it and was not called: remove the machine yourself" },
  });
  expect([world.nodes.get("u1")?.state, world.calls]).toEqual([
    "gone",
    [
      { id: "m5", what: "grow" },
      { id: "m6", what: "grow" },
    ],
  ]);
});

test("drains machines that nobody requested once they are idle for the cooldown and nothing waits", () => {
  const world = withIdle(1, { min: 1, max: 4, cooldownMs: 60_000 });
  for (const _ of [1, 2]) world.joinsUnrequested();
  expect(world.turn(30_000, []).shrink).toEqual([]);
  expect(world.turn(30_000, [])).toMatchObject({
    shrink: ["u1", "u2"],
    reason: "2 that nobody requested idle for 60 s",
  });
});
