/** A store in memory, coordinators that lead in it one after another, and a driver that a test writes. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { onTestFinished } from "vitest";
import type { Demand } from "../../domain/demand.ts";
import type { Node } from "../../domain/node.ts";
import { offeredNode, type Pool } from "../../domain/pool.ts";
import type { PoolMachine } from "../../domain/pool-machine.ts";
import { createMetrics, type Metrics } from "../../metrics/metrics.ts";
import { create, put, replace } from "../../store/change.ts";
import { LEADER_KEY } from "../../store/keys.ts";
import { Memory } from "../../store/memory/memory.ts";
import { memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store } from "../../store/store.ts";
import { updateRecord } from "../../store/update.ts";
import type { CallDriver, DriverCall } from "../drivers/driver-order.ts";
import { startPools } from "../start-pools.ts";

const SILENT = createLog({ name: "test", level: "silent" });

export interface Leader {
  readonly store: Store;
  readonly metrics: Metrics;
  stop(): Promise<void>;
}

export class LeadingPools {
  readonly store: Store;
  demand: readonly Demand[] = [];
  /** What a call does; by default it names the machine after the request. */
  driver: (call: DriverCall, id: string, signal: AbortSignal, poolId: string) => Promise<string | null>;
  readonly calls: { readonly call: DriverCall; readonly id: string; readonly machine: string | null }[] = [];
  readonly #memory: Memory;

  private constructor(memory: Memory, store: Store) {
    this.#memory = memory;
    this.store = store;
    this.driver = async (call, id) => (call === "grow" ? `i-${id}` : null);
  }

  static async open(pool: Pool): Promise<LeadingPools> {
    const memory = new Memory();
    const store = await openedStore(memory);
    await store.commit([create("pools", pool)]);
    return new LeadingPools(memory, store);
  }

  /** From now on this one leads, and whoever led before does not. */
  async lead(): Promise<Leader> {
    const store = await openedStore(this.#memory);
    const kv = memoryKv(this.#memory);
    const { entries } = await kv.read([LEADER_KEY]);
    const value = Buffer.from("{}");
    const compares = [{ key: LEADER_KEY, revision: entries[0]?.revision ?? 0 }];
    const outcome = await kv.txn({ compares, puts: [{ key: LEADER_KEY, value }], deletes: [] });
    if (!outcome.applied) throw new Error("another one leads");
    const metrics = createMetrics();
    const call: CallDriver = async (pool, { call, id, body }, signal) => {
      this.calls.push({ call, id, machine: JSON.parse(body).machine });
      return { machine: await this.driver(call, id, signal, pool.id) };
    };
    const pools = startPools({
      store,
      demand: { now: () => this.demand },
      driver: call,
      epoch: () => outcome.revision,
      clock: systemClock,
      metrics: metrics.pools,
      loops: metrics.loops,
      log: SILENT,
      everyMs: 10,
    });
    const stop = () => pools.stop();
    onTestFinished(stop);
    return { store, metrics, stop };
  }

  machines(poolId: string): readonly PoolMachine[] {
    return [...this.store.view.poolMachines.of(poolId)].map(({ value }) => value);
  }

  states(poolId: string): readonly string[] {
    return this.machines(poolId).map(({ state }) => state);
  }

  /** The machine's agent has enrolled and connected. */
  async joins(pool: Pool, requestId: string, given: Partial<Node> = {}): Promise<void> {
    const node = { ...offeredNode(pool), id: requestId, since: Date.now(), ...given };
    await this.store.commit([create("nodes", node)]);
    await updateRecord(
      this.store,
      "pool-machines",
      () => this.#machine(requestId),
      (machine) => ({ ...machine, nodeId: requestId }),
    );
  }

  async changePool(id: string, change: Partial<Pool>): Promise<void> {
    const pool = await this.store.get("pools", id);
    if (pool !== null) await this.store.commit([replace("pools", pool, { ...pool.value, ...change })]);
  }

  async putMachine(machine: PoolMachine): Promise<void> {
    await this.store.commit([put("pool-machines", await this.store.get("pool-machines", machine.id), machine)]);
  }

  async #machine(id: string) {
    const found = await this.store.get("pool-machines", id);
    if (found === null) throw new Error(`there is no machine ${id}`);
    return found;
  }
}

async function openedStore(memory: Memory): Promise<Store> {
  const store = await openStore({ kv: memoryKv(memory), clock: systemClock, log: SILENT });
  onTestFinished(() => store.close());
  return store;
}
