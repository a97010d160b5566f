/**
 * Calls of drivers under way, at most one for each machine. What a driver responds becomes part of the machine's record,
 * whoever leads by then: it is a fact. A call whose response was lost is repeated with the same id by the next leader.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Node } from "../domain/node.ts";
import type { Pool } from "../domain/pool.ts";
import {
  begun,
  callFailed,
  exists,
  isGrown,
  type PoolMachine,
  released,
  releasing,
  unrequestedMachine,
} from "../domain/pool-machine.ts";
import type { Versioned } from "../domain/versioned.ts";
import { machineIdOf } from "../enrollment/machine-id.ts";
import type { PoolMetrics } from "../metrics/pool-metrics.ts";
import { put, remove, replace } from "../store/change.ts";
import type { Change, Store, View } from "../store/store.ts";
import { update } from "../store/update.ts";
import { type CallDriver, type DriverCall, DriverError, orderText } from "./drivers/driver-order.ts";

/** Of all pools together; others wait for the next turn. */
const AT_ONCE = 32;

interface Options {
  readonly store: Pick<Store, "get" | "commit" | "view">;
  readonly driver: CallDriver;
  readonly clock: Pick<Clock, "now">;
  readonly metrics: Pick<PoolMetrics, "driverCalled">;
  readonly log: Logger;
  /** The record of a machine changed. */
  readonly wake: () => void;
}

export class DriverCalls {
  readonly #options: Options;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  /** Names are noted one after another, so that of two requests one has the machine. */
  #noting: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  start(pool: Pool, machine: PoolMachine, call: DriverCall): void {
    if (this.#underWay.has(machine.id) || this.#underWay.size >= AT_ONCE || this.#stopping.signal.aborted) return;
    const { log } = this.#options;
    const made = this.#make(pool, machine, call)
      .catch((err: unknown) => {
        if (!this.#stopping.signal.aborted)
          log.warn({ err, pool: pool.id, requestId: machine.id, call }, "a call of a driver was not recorded");
      })
      .finally(() => {
        this.#underWay.delete(machine.id);
        this.#options.wake();
      });
    this.#underWay.set(machine.id, made);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the coordinator stops"));
    await Promise.all(this.#underWay.values());
  }

  async #make(pool: Pool, machine: PoolMachine, call: DriverCall): Promise<void> {
    const { driver, metrics, log } = this.#options;
    const facts = { pool: pool.id, requestId: machine.id, call };
    try {
      const order = { call, id: machine.id, body: orderText(call, pool, machine) };
      const { machine: name } = await driver(pool, order, this.#stopping.signal);
      const why = name === null ? await this.#noteRemoved(machine.id) : await this.#noteInTurn(pool, machine.id, name);
      metrics.driverCalled(call, why === null ? "succeeded" : "failed");
      if (why === null) log.info({ ...facts, machine: name ?? machine.machine }, "a driver was called");
      else log.warn({ ...facts, why }, "a driver named a machine that another request has");
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      metrics.driverCalled(call, "failed");
      log.warn({ ...facts, why: error.message }, "a driver failed, and is called again");
      await this.#change(machine.id, (before) => callFailed(before, error.message, this.#options.clock.now()));
    }
  }

  async #noteRemoved(id: string): Promise<null> {
    const { clock } = this.#options;
    await this.#change(id, (machine) => (machine.state === "releasing" ? released(machine, clock.now()) : machine));
    return null;
  }

  #noteInTurn(pool: Pool, id: string, name: string): Promise<string | null> {
    const noted = this.#noting.then(() => this.#noteNamed(pool, id, name));
    this.#noting = noted.catch(() => undefined);
    return noted;
  }

  /** Null where it was noted, else why it was not. */
  async #noteNamed(pool: Pool, id: string, name: string): Promise<string | null> {
    const { store, clock } = this.#options;
    const { result } = await update<Named, string | null>(store, {
      read: async () => {
        const holder = holderOf(store.view, name, id);
        const [machine, other, node, surplus] = await Promise.all([
          store.get("pool-machines", id),
          holder === null ? null : store.get("pool-machines", holder.id),
          store.get("nodes", name),
          store.get("pool-machines", machineIdOf(pool.id, name)),
        ]);
        // It may have been released since the view had it.
        return { machine, other: other !== null && exists(other.value) ? other : null, node, surplus };
      },
      decide: ({ machine, other, node, surplus }) => {
        const now = clock.now();
        if (machine === null) return { changes: [], result: null };
        const { value } = machine;
        const why = whyNotIts(pool, name, other?.value ?? null, node?.value ?? null);
        if (why !== null)
          return { changes: [replace("pool-machines", machine, callFailed(value, why, now))], result: why };
        // Whoever claims to be it in another pool gives way to the driver that added it.
        const claim: Change[] =
          other === null || other.value.poolId === pool.id
            ? []
            : [replace("pool-machines", other, releasing(other.value, `pool ${pool.id} has added it`, now))];
        const own = other?.value.poolId === pool.id ? other : null;
        if (value.machine !== null && value.machine !== name) {
          // It grew twice: the first is the request's, and the other one goes, at once where it has not joined.
          const of = { poolId: pool.id, id: machineIdOf(pool.id, name), costPerHour: pool.costPerHour, machine: name };
          const reason = `its driver had named ${value.machine} for the same request`;
          const after = own?.value ?? releasing(unrequestedMachine(of, now), reason, now);
          const further = put("pool-machines", own ?? surplus, { ...after, namedByDriver: true });
          const first = value.state === "requested" ? begun(value, value.machine, now) : null;
          const changes = first === null ? [] : [replace("pool-machines", machine, first)];
          return { changes: [...claim, ...changes, further], result: null };
        }
        if (own === null)
          return { changes: [...claim, replace("pool-machines", machine, begun(value, name, now))], result: null };
        // It had joined before its driver named it.
        const { nodeId, enrollment } = own.value;
        const merged = { ...begun(value, name, now), nodeId, enrollment };
        const changes: Change[] = [replace("pool-machines", machine, merged), remove("pool-machines", own)];
        return { changes, result: null };
      },
    });
    return result;
  }

  async #change(id: string, next: (machine: PoolMachine) => PoolMachine): Promise<void> {
    const { store } = this.#options;
    await update(store, {
      read: () => store.get("pool-machines", id),
      decide: (before) => {
        if (before === null) return [];
        const after = next(before.value);
        return after === before.value ? [] : [replace("pool-machines", before, after)];
      },
    });
  }
}

interface Named {
  readonly machine: Versioned<PoolMachine> | null;
  /** That has the same name, in any pool. */
  readonly other: Versioned<PoolMachine> | null;
  /** Whose name it is. */
  readonly node: Versioned<Node> | null;
  /** What records that the driver grew it twice, where something does. */
  readonly surplus: Versioned<PoolMachine> | null;
}

/** The machine that has the name, other than this one. What a driver added goes before what claims to be it. */
function holderOf({ poolMachines }: Pick<View, "poolMachines">, name: string, id: string): PoolMachine | null {
  const named = [...poolMachines.values()].map(({ value }) => value);
  const others = named.filter((one) => one.id !== id && one.machine === name && exists(one));
  return others.find(isGrown) ?? others[0] ?? null;
}

/** Why a driver's machine cannot be that one: its name is somebody else's, who would be removed with it. */
function whyNotIts(pool: Pool, name: string, other: PoolMachine | null, node: Node | null): string | null {
  if (other !== null && isGrown(other)) {
    const whose = other.poolId === pool.id ? `that of request ${other.id}` : `of pool ${other.poolId}`;
    return `it named machine ${name}, which is ${whose}`;
  }
  if (node === null || node.state === "gone" || node.pool !== undefined) return null;
  return `it named machine ${name}, and there is a node ${name} of no pool: name machines as no node is named`;
}
