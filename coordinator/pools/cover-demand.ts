/**
 * How many further machines of each pool the demand takes: what is lacking is placed on machines that are on their way,
 * then on further ones of the pool where that is cheapest, by the same rules as workloads on nodes. Pure.
 */
import type { Demand } from "../domain/demand.ts";
import { memoryOf, slotsOf } from "../domain/deployment.ts";
import { offeredNode, type Pool } from "../domain/pool.ts";
import type { Fitted } from "../domain/suitable-node.ts";
import { entryOf } from "../progress/node-rooms.ts";
import type { NodeEntry } from "../scheduler/decide/entries.ts";
import { fit, type Room, roomOf } from "../scheduler/decide/room.ts";

export interface Coverable {
  readonly pool: Pool;
  /** Machines that are on their way. */
  readonly coming: number;
  /** How many more there may be now. */
  readonly mayGrow: number;
}

export interface Covered {
  /** Of those on their way, the ones that nothing is waiting for. */
  readonly unclaimed: number;
  readonly further: number;
}

interface Machine {
  readonly poolId: string;
  readonly entry: NodeEntry;
  readonly shells: boolean;
  room: Room;
  isClaimed: boolean;
}

/** By pool. Those whose machines cost the least, for each slot, go first. */
export function coverDemand(demand: readonly Demand[], pools: readonly Coverable[]): ReadonlyMap<string, Covered> {
  const byPrice = pools.toSorted((a, b) => priceOf(a.pool) - priceOf(b.pool) || (a.pool.id < b.pool.id ? -1 : 1));
  const machines = byPrice.flatMap(({ pool, coming }) => Array.from({ length: coming }, () => newMachine(pool)));
  const comingCount = machines.length;
  const left = new Map(byPrice.map(({ pool, mayGrow }) => [pool.id, mayGrow]));
  for (const { fitted, shells, workloads } of demand) {
    for (let placed = 0; placed < workloads; placed++) {
      const machine = machines.find((one) => (!shells || one.shells) && place(one, fitted));
      if (machine !== undefined) continue;
      const further = openMachine(fitted, shells);
      if (further === null) break;
      machines.push(further);
    }
  }
  const coming = machines.slice(0, comingCount);
  const further = machines.slice(comingCount);
  return new Map(
    pools.map(({ pool }) => [
      pool.id,
      {
        unclaimed: coming.filter(({ poolId, isClaimed }) => poolId === pool.id && !isClaimed).length,
        further: further.filter(({ poolId }) => poolId === pool.id).length,
      },
    ]),
  );

  function openMachine(fitted: Fitted, shells: boolean): Machine | null {
    for (const { pool } of byPrice) {
      const mayGrow = left.get(pool.id) ?? 0;
      if (mayGrow <= 0 || (shells && !pool.offer.shells)) continue;
      const machine = newMachine(pool);
      if (!place(machine, fitted)) continue;
      left.set(pool.id, mayGrow - 1);
      return machine;
    }
    return null;
  }
}

/** Whether a machine of the pool with nothing on it could run it. */
export function couldRun(pool: Pool, { fitted, shells }: Pick<Demand, "fitted" | "shells">): boolean {
  return (!shells || pool.offer.shells) && place(newMachine(pool), fitted);
}

function newMachine(pool: Pool): Machine {
  const entry = entryOf(offeredNode(pool));
  const room = roomOf(entry, new Map());
  return { poolId: pool.id, entry, shells: pool.offer.shells, room, isClaimed: false };
}

/** False where it does not fit. */
function place(machine: Machine, fitted: Fitted): boolean {
  const { entry, room } = machine;
  const gpus = fit(fitted, entry, room);
  if (gpus === null) return false;
  machine.isClaimed = true;
  machine.room = {
    slots: room.slots - slotsOf(fitted),
    gpus: room.gpus.filter((gpu) => !gpus.includes(gpu)),
    memoryBytes: room.memoryBytes - memoryOf(fitted),
  };
  return true;
}

function priceOf({ costPerHour, offer }: Pool): number {
  return costPerHour / Math.max(1, offer.slots);
}
