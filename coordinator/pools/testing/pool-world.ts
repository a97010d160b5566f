/**
 * A pool whose driver and machines do as a test decides: what the leader does with its records, without a store.
 * Only records last from one turn to the next, as over a change of leaders.
 */
import type { Demand } from "../../domain/demand.ts";
import { offeredNode, type Pool } from "../../domain/pool.ts";
import {
  begun,
  callFailed,
  draining,
  enrolledMachine,
  exists,
  type PoolMachine,
  released,
  requestMachine,
  unrequestedMachine,
} from "../../domain/pool-machine.ts";
import { aDeployment } from "../../domain/testing/records.ts";
import { decidePools, type PoolDecision } from "../decide-pools.ts";
import type { NodeFacts } from "../node-facts.ts";
import { stepMachine } from "../step-machine.ts";

export class PoolWorld {
  pool: Pool;
  now = 1_000_000;
  readonly machines = new Map<string, PoolMachine>();
  readonly nodes = new Map<string, NodeFacts>();
  /** Ids of machines for which the driver is called, by what for. */
  calls: { readonly id: string; readonly what: "grow" | "shrink" }[] = [];
  decisions: PoolDecision[] = [];
  /** Ids of all machines that the driver was called to remove. */
  readonly removed: string[] = [];
  #ids = 0;
  #unrequested = 0;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  /** One turn of the leader, so long after the last. */
  turn(afterMs: number, demand: readonly Demand[]): PoolDecision {
    this.now += afterMs;
    this.calls = [];
    for (const machine of [...this.machines.values()]) this.#step(machine);
    const view = {
      demand,
      pools: [this.pool],
      machines: [...this.machines.values()],
      nodeOf: (id: string) => this.nodes.get(id),
    };
    const [decision] = decidePools(view, this.now, () => `m${++this.#ids}`);
    if (decision === undefined) throw new Error("no decision");
    this.#apply(decision);
    this.decisions.push(decision);
    return decision;
  }

  driverNames(id: string, name = `i-${id}`): void {
    this.#change(id, (machine) => begun(machine, name, this.now));
  }

  driverRemoved(id: string): void {
    this.#change(id, (machine) => (machine.state === "releasing" ? released(machine, this.now) : machine));
  }

  driverFails(id: string): void {
    this.#change(id, (machine) => callFailed(machine, "the driver failed", this.now));
  }

  /** Its agent has enrolled and connected. */
  joins(id: string, given: Partial<NodeFacts> = {}): void {
    const machine = this.machines.get(id);
    if (machine === undefined || !(machine.state === "requested" || machine.state === "booting")) return;
    const enrollment = { at: this.now, publicKeySha256: "", certificatePem: "", notAfter: this.now };
    this.machines.set(id, enrolledMachine(machine, id, enrollment));
    const { inventory } = offeredNode(this.pool);
    this.nodes.set(id, {
      state: "ready",
      since: this.now,
      inventory,
      idleSince: this.now,
      drains: false,
      hasSpotNotice: false,
      ...given,
    });
  }

  /** One more than was requested. */
  joinsUnrequested(): void {
    const id = `u${++this.#unrequested}`;
    const of = { poolId: this.pool.id, id, costPerHour: this.pool.costPerHour, machine: `i-${id}` };
    this.machines.set(id, unrequestedMachine(of, this.now));
    this.joins(id);
  }

  changeNode(id: string, change: Partial<NodeFacts>): void {
    const node = this.nodes.get(id);
    if (node !== undefined) this.nodes.set(id, { ...node, ...change });
  }

  existing(): readonly PoolMachine[] {
    return [...this.machines.values()].filter(exists);
  }

  #step(machine: PoolMachine): void {
    const node = this.nodes.get(machine.nodeId ?? "");
    const step = stepMachine(this.pool, machine, node, this.now);
    if (step?.kind === "call") this.calls.push({ id: machine.id, what: step.what });
    if (step?.kind === "call" && step.what === "shrink") this.removed.push(machine.id);
    if (step?.kind !== "become") return;
    this.machines.set(machine.id, step.after);
    if (step.evicts && machine.nodeId !== null) this.changeNode(machine.nodeId, { state: "gone", since: this.now });
  }

  #apply({ grow, shrink, stop }: PoolDecision): void {
    const { id: poolId, costPerHour } = this.pool;
    for (const id of grow) this.machines.set(id, requestMachine({ poolId, id, costPerHour }, this.now));
    for (const id of shrink) {
      this.#change(id, (machine) => draining(machine, this.now));
      this.changeNode(id, { state: "draining", drains: true });
    }
    if (stop !== null) this.pool = { ...this.pool, stopped: { at: this.now, reason: stop } };
  }

  #change(id: string, next: (machine: PoolMachine) => PoolMachine): void {
    const machine = this.machines.get(id);
    if (machine !== undefined) this.machines.set(id, next(machine));
  }
}

/** So many workloads wait for a GPU each. */
export function demandOf(workloads: number): readonly Demand[] {
  if (workloads === 0) return [];
  const fitted = aDeployment({ serviceId: "service", resources: { gpuCount: 1, gpuModel: "H100" } });
  return [
    {
      fitted,
      shells: false,
      workloads,
      tasks: workloads,
      oldestSince: 0,
      reason: "no_room",
      message: "no machine has room",
    },
  ];
}
