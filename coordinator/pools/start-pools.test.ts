/** The leader's loop over a store in memory, with drivers that are slow, fail, report falsely, and grow twice. */
import { expect, test } from "vitest";
import { enrolledMachine, type PoolMachine, unrequestedMachine } from "../domain/pool-machine.ts";
import { aNode, anAssignment, aPool } from "../domain/testing/records.ts";
import { machineIdOf } from "../enrollment/machine-id.ts";
import { create, remove } from "../store/change.ts";
import { DriverError } from "./drivers/driver-order.ts";
import { LeadingPools } from "./testing/leading-pools.ts";
import { demandOf } from "./testing/pool-world.ts";

const POOL = aPool({ max: 3 });

/** As after a machine that nobody requested has enrolled under that name. */
function selfNamed(pool: Pick<PoolMachine, "costPerHour"> & { readonly id: string }, machine: string): PoolMachine {
  const { id: poolId, costPerHour } = pool;
  const now = Date.now();
  const of = { poolId, costPerHour, id: machineIdOf(poolId, machine), machine };
  const enrollment = { at: now, publicKeySha256: "", certificatePem: "", notAfter: now };
  return enrolledMachine(unrequestedMachine(of, now), of.id, enrollment);
}

test("writes the request before the driver is called, once for each machine", async () => {
  const pools = await LeadingPools.open(POOL);
  const known: boolean[] = [];
  pools.driver = async (_call, id) => {
    known.push((await pools.store.get("pool-machines", id))?.value.state === "requested");
    return `i-${id}`;
  };
  pools.demand = demandOf(2);
  await pools.lead();
  await expect.poll(() => pools.states(POOL.id)).toEqual(["booting", "booting"]);
  expect(known).toEqual([true, true]);
  expect(pools.calls.map(({ call }) => call)).toEqual(["grow", "grow"]);
  expect(pools.machines(POOL.id).map(({ id, machine }) => machine === `i-${id}`)).toEqual([true, true]);
});

test("repeats a call with the same request after a change of leaders, and has one machine by it", async () => {
  const pools = await LeadingPools.open(POOL);
  pools.driver = (_call, _id, signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  pools.demand = demandOf(1);
  const first = await pools.lead();
  await expect.poll(() => pools.calls).toHaveLength(1);
  await first.stop();
  pools.driver = async () => "i-0abc";
  await pools.lead();
  await expect.poll(() => pools.states(POOL.id)).toEqual(["booting"]);
  expect(new Set(pools.calls.map(({ id }) => id)).size).toBe(1);
  expect(pools.machines(POOL.id)[0]?.machine).toBe("i-0abc");
});

test("waits for a slow driver without calling it again, and sizes other pools meanwhile", async () => {
  const pools = await LeadingPools.open(POOL);
  const other = aPool({ id: "other", min: 1, max: 1 });
  await pools.store.commit([create("pools", other)]);
  const slow = Promise.withResolvers<string>();
  pools.driver = (_call, id, _signal, poolId) => (poolId === POOL.id ? slow.promise : Promise.resolve(`i-${id}`));
  pools.demand = demandOf(1);
  await pools.lead();
  await expect.poll(() => pools.states("other")).toEqual(["booting"]);
  await expect.poll(() => pools.states(POOL.id)).toEqual(["requested"]);
  slow.resolve("i-1");
  await expect.poll(() => pools.states(POOL.id)).toEqual(["booting"]);
  expect(pools.calls).toHaveLength(2);
});

test("calls a driver that fails again later, and says why in the machine's record", async () => {
  const pools = await LeadingPools.open(POOL);
  pools.driver = async () => {
    throw new DriverError("it responded with 500: no capacity");
  };
  pools.demand = demandOf(1);
  const { metrics } = await pools.lead();
  await expect
    .poll(() => pools.machines(POOL.id)[0]?.calls)
    .toMatchObject({ failed: 1, lastError: "it responded with 500: no capacity" });
  expect(await metrics.registry.metrics()).toContain('elastic_pool_driver_calls_total{call="grow",outcome="failed"} 1');
  const [machine] = pools.machines(POOL.id);
  expect((machine?.calls.nextAt ?? 0) - Date.now()).toBeGreaterThan(1_000);
});

test("has the second machine of a request removed where a driver grew twice", async () => {
  const pools = await LeadingPools.open(POOL);
  pools.demand = demandOf(1);
  const first = await pools.lead();
  await expect.poll(() => pools.states(POOL.id)).toEqual(["booting"]);
  await first.stop();
  // As the record was before the response, which a second leader receives as well.
  const [machine] = pools.machines(POOL.id);
  if (machine === undefined) throw new Error("no machine");
  await pools.putMachine({ ...machine, state: "requested" });
  pools.driver = async (call) => (call === "grow" ? "i-second" : null);
  await pools.lead();
  await expect
    .poll(() => pools.calls.filter(({ call }) => call === "shrink"))
    .toEqual([{ call: "shrink", id: machineIdOf(POOL.id, "i-second"), machine: "i-second" }]);
  expect((await pools.store.get("pool-machines", machine.id))?.value.machine).toBe(`i-${machine.id}`);
});

test("accepts no machine for two requests", async () => {
  const pools = await LeadingPools.open(POOL);
  pools.driver = async () => "i-same";
  pools.demand = demandOf(2);
  await pools.lead();
  await expect.poll(() => pools.states(POOL.id).toSorted()).toEqual(["booting", "requested"]);
  const refused = pools.machines(POOL.id).find(({ state }) => state === "requested");
  await expect
    .poll(() => pools.machines(POOL.id).find(({ id }) => id === refused?.id)?.calls.lastError)
    .toMatch(/^it named machine i-same, which is that of request [0-9a-f]{32}$/);
});

test("has no driver remove a machine by the name that it gave itself", async () => {
  const pools = await LeadingPools.open(aPool({ ...POOL, bootMs: 1 }));
  await pools.putMachine({ ...selfNamed(POOL, "i-0victim"), requestedAt: 0 });
  await pools.joins(POOL, machineIdOf(POOL.id, "i-0victim"), { state: "joining" });
  await pools.lead();
  await expect.poll(() => pools.states(POOL.id)).toEqual(["released"]);
  expect(pools.calls).toEqual([]);
  expect(pools.machines(POOL.id)[0]?.failure?.reason).toMatch(/^it enrolled and did not connect/);
  expect(pools.store.view.nodes.get(machineIdOf(POOL.id, "i-0victim"))?.value.state).toBe("gone");
});

test("has what claims in another pool to be a driver's machine give way to it, and refuses a driver what is another's", async () => {
  const pools = await LeadingPools.open(POOL);
  const other = aPool({ id: "other", max: 3 });
  await pools.store.commit([create("pools", other), create("nodes", aNode("gpu-7"))]);
  await pools.putMachine(selfNamed(other, "i-1"));
  const names = ["i-1", "gpu-7"];
  pools.driver = async (call) => (call === "grow" ? (names.shift() ?? "i-1") : null);
  pools.demand = demandOf(2);
  await pools.lead();
  await expect.poll(() => pools.states(POOL.id).toSorted()).toEqual(["booting", "requested"]);
  await expect.poll(() => pools.states("other")).toEqual(["released"]);
  expect(pools.calls.filter(({ call }) => call === "shrink")).toEqual([]);
  const refused = () => pools.machines(POOL.id).find(({ state }) => state === "requested")?.calls.lastError;
  await expect.poll(refused).toMatch(/^it named machine gpu-7, and there is a node gpu-7 of no pool/);
  await expect.poll(refused, { timeout: 5_000 }).toMatch(/^it named machine i-1, which is that of request/);
  pools.demand = [];
  const third = aPool({ id: "third", min: 1, max: 1 });
  await pools.store.commit([create("pools", third)]);
  await expect
    .poll(() => pools.machines("third")[0]?.calls.lastError)
    .toBe(`it named machine i-1, which is of pool ${POOL.id}`);
});

test("recognizes a machine that joined before its driver named it", async () => {
  const pools = await LeadingPools.open(POOL);
  const named = Promise.withResolvers<string>();
  pools.driver = () => named.promise;
  pools.demand = demandOf(1);
  await pools.lead();
  await expect.poll(() => pools.states(POOL.id)).toEqual(["requested"]);
  const id = machineIdOf(POOL.id, "i-1");
  await pools.putMachine(selfNamed(POOL, "i-1"));
  await pools.joins(POOL, id);
  pools.demand = [];
  named.resolve("i-1");
  await expect
    .poll(() => pools.machines(POOL.id).map(({ state, nodeId, unrequested }) => [state, nodeId, unrequested]))
    .toEqual([["joined", id, undefined]]);
});

test("drains an idle machine, evicts it once it is empty, and has its driver remove it; work there is not interrupted", async () => {
  const pool = aPool({ max: 1, cooldownMs: 0 });
  const pools = await LeadingPools.open(pool);
  pools.demand = demandOf(1);
  await pools.lead();
  await expect.poll(() => pools.states(pool.id)).toEqual(["booting"]);
  const [{ id } = { id: "" }] = pools.machines(pool.id);
  await pools.joins(pool, id);
  await expect.poll(() => pools.states(pool.id)).toEqual(["joined"]);
  const assignment = anAssignment({ id: "d", serviceId: "s" }, id);
  await pools.store.commit([create("assignments", assignment)]);
  pools.demand = [];
  // Beyond its maximum it drains at once, whatever is there.
  await pools.changePool(pool.id, { max: 0 });
  await expect.poll(() => pools.states(pool.id)).toEqual(["draining"]);
  expect(pools.store.view.nodes.get(id)?.value).toMatchObject({ state: "draining" });
  await pools.putMachine({
    ...(pools.machines(pool.id)[0] as never as ReturnType<typeof pools.machines>[0]),
    since: 0,
  });
  expect(pools.states(pool.id)).toEqual(["draining"]);
  const read = await pools.store.get("assignments", assignment.id);
  if (read !== null) await pools.store.commit([remove("assignments", read)]);
  await expect.poll(() => pools.states(pool.id)).toEqual(["released"]);
  expect(pools.store.view.nodes.get(id)?.value.state).toBe("gone");
  expect(pools.calls.at(-1)).toEqual({ call: "shrink", id, machine: `i-${id}` });
});

test("stops growth after rounds of machines that do not come up, which a metric and the pool's record show", async () => {
  const pools = await LeadingPools.open(aPool({ ...POOL, bootMs: 1 }));
  pools.demand = demandOf(1);
  const { metrics } = await pools.lead();
  await expect.poll(() => pools.states(POOL.id).length).toBeGreaterThan(0);
  const failed = { at: Date.now(), reason: "it did not enroll within 1 s" };
  for (let round = 1; round <= 5; round++) {
    const bare = unrequestedMachine({ poolId: POOL.id, id: `m${round}`, costPerHour: 2, machine: `i-${round}` }, round);
    await pools.putMachine({ ...bare, state: "released", failure: failed, releasedAt: Date.now() });
  }
  await expect
    .poll(() => pools.store.view.pools.get(POOL.id)?.value.stopped?.reason)
    .toMatch(/times in a row no machine came up/);
  await expect.poll(() => metrics.registry.metrics()).toContain("elastic_pools_stopped 1");
});
