/** Tells now and then how much all logs take, so that an operator sees the disk fill before it is full. */
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import type { LogMetrics } from "../metrics/log-metrics.ts";
import type { TaskLogs } from "./task-logs.ts";

/** It looks at every log. */
const EVERY_MS = 3_600_000;

export interface MeasureOptions {
  readonly logs: Pick<TaskLogs, "totalBytes">;
  readonly metrics: Pick<LogMetrics, "stored">;
  /** One coordinator is enough; the others tell of none. */
  readonly isLeading: () => boolean;
  readonly log: Logger;
}

export function startLogMeasure(options: MeasureOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const finished = (async () => {
    while (!stopping.signal.aborted) {
      await pause(EVERY_MS, stopping.signal);
      if (!stopping.signal.aborted) await measure(options);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await finished;
    },
  };
}

export async function measure({ logs, metrics, isLeading, log }: MeasureOptions): Promise<void> {
  try {
    metrics.stored(isLeading() ? await logs.totalBytes() : 0);
  } catch (error) {
    log.warn({ err: error }, "logs could not be measured");
  }
}
