/** Which charts a service has, and their lines. Pure. */
import { secondsText } from "../text/seconds-text.ts";
import type { ChartLine } from "./chart-summary.ts";
import type { ServiceMetrics } from "./metrics-query.ts";

type Point = ServiceMetrics["points"][number];

export interface ServiceChart {
  readonly title: string;
  readonly lines: readonly ChartLine[];
  readonly format: (value: number) => string;
}

const GIB = 2 ** 30;

const count = (value: number): string => String(Math.round(10 * value) / 10);
const percent = (value: number): string => `${Math.round(value)} %`;
const gib = (value: number): string => `${count(value)} GiB`;

export function timesOf(points: readonly Point[]): number[] {
  return points.map(({ at }) => Date.parse(`${at}Z`) / 1000);
}

export function serviceCharts(points: readonly Point[]): readonly ServiceChart[] {
  const line = (label: string, figure: (point: Point) => number | null | undefined): ChartLine => ({
    label,
    values: points.map((point) => figure(point) ?? null),
  });
  return [
    {
      title: "Queue delay",
      format: secondsText,
      lines: [line("p50", (point) => point.queue_seconds?.p50), line("p95", (point) => point.queue_seconds?.p95)],
    },
    {
      title: "Run time",
      format: secondsText,
      lines: [line("p50", (point) => point.run_seconds?.p50), line("p95", (point) => point.run_seconds?.p95)],
    },
    {
      title: "Tasks that ended",
      format: count,
      lines: [
        line("succeeded", ({ tasks }) => tasks.succeeded),
        line("failed", ({ tasks }) => tasks.failed + tasks.timed_out + tasks.expired),
        line("cancelled", ({ tasks }) => tasks.cancelled),
      ],
    },
    {
      title: "Open tasks",
      format: count,
      lines: [line("queued", ({ sampled }) => sampled?.queued), line("running", ({ sampled }) => sampled?.running)],
    },
    { title: "Workloads", format: count, lines: [line("ready", ({ sampled }) => sampled?.workloads)] },
    { title: "GPU use", format: percent, lines: [line("busy", ({ sampled }) => gpuUse(sampled))] },
    {
      title: "Memory",
      format: gib,
      lines: [line("held", ({ sampled }) => (sampled === null ? null : sampled.memory_bytes / GIB))],
    },
  ];
}

/** Of the GPUs that workloads hold, in percent; null where they hold none. */
function gpuUse(sampled: Point["sampled"]): number | null {
  return sampled === null || sampled.gpus === 0 ? null : (100 * sampled.gpus_busy) / sampled.gpus;
}
