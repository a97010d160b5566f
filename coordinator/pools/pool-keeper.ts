/**
 * What the leader does with pools in a turn: each machine's next step, then the decisions. All that is known from one turn to
 * the next is in records, but for how long a node has been idle; every commit compares the leader's epoch, and the record of a
 * request is written before its driver is called.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import type { Logger } from "@elastic/std/log.ts";
import { evicted } from "../domain/node.ts";
import { drain } from "../domain/node-drain.ts";
import type { Pool } from "../domain/pool.ts";
import { draining, type PoolMachine, requestMachine } from "../domain/pool-machine.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { PoolMetrics } from "../metrics/pool-metrics.ts";
import type { DemandBoard } from "../progress/demand-board.ts";
import { create, replace, unchanged } from "../store/change.ts";
import type { Change, Store } from "../store/store.ts";
import { decidePools, type PoolDecision } from "./decide-pools.ts";
import type { DriverCalls } from "./driver-calls.ts";
import type { IdleTimes } from "./idle-times.ts";
import type { NodeFacts } from "./node-facts.ts";
import { type NodeFactsSource, readNodeFacts } from "./read-node-facts.ts";
import { spendRate } from "./spend.ts";
import { stepMachine } from "./step-machine.ts";

export interface PoolKeeperOptions {
  readonly store: Pick<Store, "commit" | "view">;
  readonly demand: Pick<DemandBoard, "now">;
  readonly nodeWork: NodeFactsSource["nodeWork"];
  readonly idle: Pick<IdleTimes, "since">;
  readonly calls: Pick<DriverCalls, "start">;
  /** Null while another coordinator leads. */
  readonly epoch: () => number | null;
  readonly clock: Clock;
  readonly metrics: Pick<PoolMetrics, "machines">;
  readonly log: Logger;
}

interface Term {
  readonly epoch: number;
  readonly beganAtMs: number;
}

export class PoolKeeper {
  readonly #options: PoolKeeperOptions;
  #term: Term | null = null;
  /** By pool, as it was logged last. */
  readonly #reasons = new Map<string, string>();

  constructor(options: PoolKeeperOptions) {
    this.#options = options;
  }

  async turn(): Promise<void> {
    const { store, clock } = this.#options;
    const epoch = this.#caughtUpEpoch();
    if (epoch === null) return;
    const nodeOf = this.#nodeFacts();
    for (const pool of [...store.view.pools.values()]) {
      for (const machine of [...store.view.poolMachines.of(pool.value.id)]) {
        const node = nodeOf(machine.value.nodeId ?? "");
        await this.#step(pool.value, machine, node, epoch);
      }
    }
    const pools = [...store.view.pools.values()];
    const machines = pools.flatMap(({ value }) => [...store.view.poolMachines.of(value.id)].map((read) => read.value));
    this.#measure(pools, machines);
    if (pools.length === 0) return;
    const now = clock.now();
    const view = {
      demand: this.#options.demand.now(now),
      pools: pools.map(({ value }) => value),
      machines,
      nodeOf: this.#nodeFacts(),
    };
    const decisions = decidePools(view, now, () => newId(now));
    for (const [at, decision] of decisions.entries()) {
      const pool = pools[at];
      if (pool !== undefined) await this.#apply(pool, decision, epoch);
    }
  }

  /** Null unless this process leads, and sees all that leaders before it wrote. */
  #caughtUpEpoch(): number | null {
    const { store, epoch, clock } = this.#options;
    const current = epoch();
    if (current === null) this.#term = null;
    else if (this.#term?.epoch !== current) this.#term = { epoch: current, beganAtMs: clock.monotonicMs() };
    if (this.#term === null) return null;
    const { view } = store;
    return view.revision() >= this.#term.epoch || view.isCurrentAsOf(this.#term.beganAtMs) ? this.#term.epoch : null;
  }

  #nodeFacts(): (nodeId: string) => NodeFacts | undefined {
    const { store, nodeWork, idle } = this.#options;
    return readNodeFacts({ view: store.view, nodeWork }, ({ id, since }) => Math.max(since, idle.since(id)));
  }

  async #step(pool: Pool, machine: Versioned<PoolMachine>, facts: NodeFacts | undefined, epoch: number): Promise<void> {
    const { store, clock, calls, log } = this.#options;
    const now = clock.now();
    const { value } = machine;
    const step = stepMachine(pool, value, facts, now);
    if (step?.kind === "call") calls.start(pool, value, step.what);
    if (step?.kind !== "become") return;
    const node = value.nodeId === null ? undefined : store.view.nodes.get(value.nodeId);
    const evicts = step.evicts && node !== undefined && node.value.state !== "gone";
    const changes: Change[] = [
      replace("pool-machines", machine, step.after),
      ...(evicts ? [replace("nodes", node, evicted(node.value, now))] : []),
    ];
    if ((await store.commit(changes, { epoch })).kind !== "committed") return;
    const { state, failure } = step.after;
    const { id: requestId, nodeId, machine: name } = value;
    const level = failure !== null && failure !== value.failure ? "warn" : "info";
    log[level]({ pool: pool.id, requestId, machine: name, nodeId, state, why: failure?.reason }, "a machine of a pool");
  }

  async #apply(pool: Versioned<Pool>, decision: PoolDecision, epoch: number): Promise<void> {
    const { log } = this.#options;
    const { grow, shrink, stop, reason } = decision;
    if (this.#reasons.get(pool.value.id) !== reason) {
      this.#reasons.set(pool.value.id, reason);
      const counts = { grow: grow.length, shrink: shrink.length };
      log[stop === null ? "info" : "error"]({ pool: pool.value.id, ...counts, reason }, "decided on a pool");
    }
    if (stop !== null) await this.#stopGrowth(pool, stop, epoch);
    if (grow.length > 0) await this.#grow(pool, grow, epoch);
    for (const id of shrink) await this.#shrink(pool.value.id, id, epoch);
  }

  async #stopGrowth(pool: Versioned<Pool>, reason: string, epoch: number): Promise<void> {
    const { store, clock } = this.#options;
    const after = { ...pool.value, stopped: { at: clock.now(), reason } };
    await store.commit([replace("pools", pool, after)], { epoch });
  }

  /** In one commit with the pool as it was read: of one that was changed meanwhile nothing is requested. */
  async #grow(pool: Versioned<Pool>, ids: readonly string[], epoch: number): Promise<void> {
    const { store, clock, calls } = this.#options;
    const { id: poolId, costPerHour } = pool.value;
    const now = clock.now();
    const requests = ids.map((id) => requestMachine({ poolId, id, costPerHour }, now));
    const changes = [unchanged("pools", pool), ...requests.map((request) => create("pool-machines", request))];
    if ((await store.commit(changes, { epoch })).kind !== "committed") return;
    for (const request of requests) calls.start(pool.value, request, "grow");
  }

  async #shrink(poolId: string, id: string, epoch: number): Promise<void> {
    const { store, clock } = this.#options;
    const machine = [...store.view.poolMachines.of(poolId)].find(({ value }) => value.id === id);
    const node = store.view.nodes.get(machine?.value.nodeId ?? "");
    if (machine === undefined || node === undefined || node.value.state === "gone") return;
    const now = clock.now();
    const order = { askedAt: now, userId: null, stopShells: false };
    const changes = [
      replace("pool-machines", machine, draining(machine.value, now)),
      replace("nodes", node, drain(node.value, order)),
    ];
    await store.commit(changes, { epoch });
  }

  #measure(pools: readonly Versioned<Pool>[], machines: readonly PoolMachine[]): void {
    const stopped = pools.filter(({ value }) => value.stopped !== null).length;
    this.#options.metrics.machines(machines, { stopped, perHour: spendRate(machines) });
  }
}
