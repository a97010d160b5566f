/** The loop in which the leader grows and shrinks pools. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Loop } from "@elastic/std/loop.ts";
import { auditedStore } from "../audit/audited-store.ts";
import { OF_NO_TEAM } from "../domain/audit-entry.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import type { PoolMetrics } from "../metrics/pool-metrics.ts";
import { NodeWork } from "../nodes/node-work.ts";
import type { DemandBoard } from "../progress/demand-board.ts";
import type { Store } from "../store/store.ts";
import { DriverCalls } from "./driver-calls.ts";
import type { CallDriver } from "./drivers/driver-order.ts";
import { IdleTimes } from "./idle-times.ts";
import { PoolKeeper } from "./pool-keeper.ts";

const EVERY_MS = 5_000;

export interface PoolsOptions {
  readonly store: Store;
  readonly demand: Pick<DemandBoard, "now">;
  readonly driver: CallDriver;
  readonly epoch: () => number | null;
  readonly clock: Clock;
  readonly metrics: PoolMetrics;
  readonly loops: LoopMetrics;
  readonly log: Logger;
  /** The usual one where it is left out. */
  readonly everyMs?: number;
}

export function startPools(options: PoolsOptions): Pick<Loop, "stop"> {
  const { store, clock, epoch, metrics, loops, log, everyMs = EVERY_MS } = options;
  const nodeWork = new NodeWork(store.view);
  const idle = new IdleTimes(clock);
  const unfollow = nodeWork.start(idle.changed);
  let wake = (): void => undefined;
  const calls = new DriverCalls({ ...options, wake: () => wake() });
  const audited = auditedStore(store, () => BY_LEADER, clock);
  const keeper = new PoolKeeper({ ...options, store: audited, nodeWork, idle, calls });
  const loop = startMeteredLoop({
    name: "size_pools",
    everyMs,
    isActive: () => epoch() !== null,
    onInactive: () => metrics.machines([], { stopped: 0, perHour: 0 }),
    turn: () => keeper.turn(),
    loops,
    log,
    failure: "pools were not sized",
  });
  wake = () => loop.wake();
  const unsubscribes = [
    store.view.pools.subscribe(() => loop.wake()),
    store.view.poolMachines.subscribe(({ after, before }) => {
      if (after?.value.nodeId !== before?.value.nodeId) loop.wake();
    }),
  ];
  return {
    stop: async () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      await calls.stop();
      await loop.stop();
      unfollow();
    },
  };
}

/** As a command of an operator would, for a coordinator is theirs. */
const BY_LEADER = {
  action: "sizePools",
  userId: null,
  credential: { kind: "operator", id: null },
  address: null,
  requestId: null,
  teamId: OF_NO_TEAM,
} as const;
