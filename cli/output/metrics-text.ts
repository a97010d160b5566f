/** A service's metrics as a table: a row a step, and the total below. */
import type { ServiceMetrics } from "../api/metrics.ts";
import { type Cell, columns } from "./columns.ts";
import { secondsText } from "./seconds-text.ts";
import { sizeText } from "./size-text.ts";

type Ended = ServiceMetrics["total"];
type Sampled = ServiceMetrics["points"][number]["sampled"];

const HEAD = [
  "FROM",
  "SUCCESS",
  "FAILED",
  "CANCELS",
  "QUEUE P50",
  "P95",
  "RUN P50",
  "P95",
  "IN QUEUE",
  "IN RUN",
  "WORKLOADS",
  "GPUS BUSY",
  "MEMORY",
];

export function metricsText({ points, total }: ServiceMetrics): string {
  const rows = points.map((point) => [point.at, ...endedCells(point), ...sampledCells(point.sampled)]);
  return columns(HEAD, [...rows, ["total", ...endedCells(total), ...sampledCells(null)]]);
}

function endedCells({ tasks, queue_seconds: queue, run_seconds: run }: Ended): readonly Cell[] {
  const { succeeded, failed, timed_out, expired, cancelled } = tasks;
  const times = [queue?.p50, queue?.p95, run?.p50, run?.p95];
  return [
    ...[succeeded, failed + timed_out + expired, cancelled].map(String),
    ...times.map((time) => (time === undefined ? null : secondsText(time))),
  ];
}

function sampledCells(sampled: Sampled): readonly Cell[] {
  if (sampled === null) return [null, null, null, null, null];
  const { queued, running, workloads, gpus, gpus_busy: busy, memory_bytes: memory } = sampled;
  return [...[queued, running, workloads].map(String), `${busy} of ${gpus}`, sizeText(memory)];
}
