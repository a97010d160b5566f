/** A pool's record as it is now, and what is shown of pools. */
import { isPoolName, type Pool } from "../../domain/pool.ts";
import { exists, isComing, isHeld, type PoolMachine } from "../../domain/pool-machine.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { NodeWork } from "../../nodes/node-work.ts";
import { decidePools } from "../../pools/decide-pools.ts";
import { readNodeFacts } from "../../pools/read-node-facts.ts";
import { spendRate, spentInDay } from "../../pools/spend.ts";
import type { DemandDeps } from "../../progress/demand-board.ts";
import { type PoolRecord, poolRecord } from "../../public/pool-record.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { notFound } from "../problems/problem.ts";

export interface PoolDeps extends RecordDeps, DemandDeps {
  readonly nodeWork: Pick<NodeWork, "assignmentsOn" | "attemptsOn">;
}

export async function readPool({ store }: Pick<RecordDeps, "store">, id: string): Promise<Versioned<Pool>> {
  const pool = isPoolName(id) ? await store.get("pools", id) : null;
  if (pool === null) throw notFound("pool");
  return pool;
}

/** All of them, by name. Since when a node is idle is not known here: none counts as idle for long. */
export function poolRecords({ store, demand, nodeWork, clock }: PoolDeps): readonly PoolRecord[] {
  const { view } = store;
  const now = clock.now();
  const pools = [...view.pools.values()].map(({ value }) => value).sort((a, b) => (a.id < b.id ? -1 : 1));
  const machines = pools.flatMap(({ id }) => [...view.poolMachines.of(id)].map(({ value }) => value));
  const nodeOf = readNodeFacts({ view, nodeWork }, () => now);
  const decisions = decidePools({ demand: demand.now(now), pools, machines, nodeOf }, now, () => "");
  return pools.map((pool, at) => {
    const own = machines.filter(({ poolId }) => poolId === pool.id);
    const { grow = [], shrink = [], reason = "" } = decisions[at] ?? {};
    return poolRecord(pool, {
      machines: own.filter(exists).length,
      coming: own.filter(isComing).length,
      wanted: own.filter(isHeld).length + grow.length - shrink.length,
      perHour: spendRate(own),
      inDay: spentInDay(own, now),
      why: whyOf(reason, own),
    });
  });
}

/** That every call of the driver fails is no part of the decision, and is what an operator has to know. */
function whyOf(reason: string, machines: readonly PoolMachine[]): string {
  const failing = machines.find((machine) => exists(machine) && machine.calls.lastError !== null);
  return failing === undefined ? reason : `${reason}; its driver fails: ${failing.calls.lastError}`;
}

export function recordOf(deps: PoolDeps, { id }: Pick<Pool, "id">): PoolRecord {
  const record = poolRecords(deps).find(({ pool }) => pool === id);
  if (record === undefined) throw notFound("pool");
  return record;
}
