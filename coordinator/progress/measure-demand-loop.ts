/** Measures now and then what the fleet lacks, for those who watch its metrics. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Loop } from "@elastic/std/loop.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import type { PoolMetrics } from "../metrics/pool-metrics.ts";
import type { DemandBoard } from "./demand-board.ts";

const EVERY_MS = 10_000;

interface Options {
  readonly demand: Pick<DemandBoard, "now">;
  readonly clock: Pick<Clock, "now">;
  readonly metrics: Pick<PoolMetrics, "demand">;
  readonly loops: LoopMetrics;
  readonly isLeading: () => boolean;
  readonly log: Logger;
}

export function startMeasuringDemand({ demand, clock, metrics, loops, isLeading, log }: Options): Loop {
  return startMeteredLoop({
    name: "measure_demand",
    everyMs: EVERY_MS,
    isActive: isLeading,
    onInactive: () => metrics.demand([], clock.now()),
    turn: () => {
      const now = clock.now();
      metrics.demand(demand.now(now), now);
    },
    loops,
    log,
    failure: "what the fleet lacks could not be measured",
  });
}
