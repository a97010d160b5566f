/** Measures the size of all logs periodically, so that an operator sees the disk fill before it is full. */
import type { Logger } from "@elastic/std/log.ts";
import type { Loop } from "@elastic/std/loop.ts";
import type { LogMetrics } from "../metrics/log-metrics.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import type { TaskLogs } from "./task-logs.ts";

/** It looks at every log. */
const EVERY_MS = 3_600_000;

export interface MeasureOptions {
  readonly logs: Pick<TaskLogs, "totalBytes">;
  readonly metrics: { readonly logs: Pick<LogMetrics, "stored">; readonly loops: LoopMetrics };
  /** One coordinator is enough; the others report none. */
  readonly isLeading: () => boolean;
  readonly everyMs?: number;
  readonly log: Logger;
}

export function startLogMeasure({ logs, metrics, isLeading, everyMs = EVERY_MS, log }: MeasureOptions): Loop {
  return startMeteredLoop({
    name: "measure_logs",
    everyMs,
    isActive: isLeading,
    onInactive: () => metrics.logs.stored(0),
    turn: async () => metrics.logs.stored(await logs.totalBytes()),
    loops: metrics.loops,
    log,
    failure: "logs could not be measured",
  });
}
