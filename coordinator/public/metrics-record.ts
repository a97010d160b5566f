/** The one place that knows a service's figures over time as public JSON. */
import { z } from "zod";
import { type Histogram, percentile } from "../domain/duration-histogram.ts";
import type { Service } from "../domain/service.ts";
import { type EndedFigures, type Figures, type Span, totalOf } from "../series/figures.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

const timesSchema = z
  .object({ p50: z.number(), p95: z.number() })
  .nullable()
  .describe("Within 7 %. Null where no task was started.");

const endedSchema = z.object({
  tasks: z
    .object({
      succeeded: z.int(),
      failed: z.int(),
      cancelled: z.int(),
      timed_out: z.int(),
      expired: z.int(),
    })
    .describe("Those that ended in the time."),
  queue_seconds: timesSchema,
  run_seconds: timesSchema,
});

/** Sampled every ten seconds; of a time with samples. */
const sampledSchema = z.object({
  queued: z.number().describe("Tasks that wait."),
  running: z.number(),
  workloads: z.number().describe("Those that are ready."),
  gpus: z.number().describe("Held by workloads."),
  gpus_busy: z.number().describe("Of these, the ones that work on a task."),
  memory_bytes: z.number().describe("Held by workloads."),
});

const rangeSchema = z.object({
  from: timestampSchema.describe("A whole step."),
  to: timestampSchema.describe("A whole step; the last one may not have ended yet."),
  step_seconds: z.int(),
  since: timestampSchema.describe("Tasks that were created earlier may be missing."),
});

export const serviceMetricsSchema = rangeSchema
  .extend({
    service_id: idSchema,
    total: endedSchema,
    points: z.array(
      endedSchema.extend({
        at: timestampSchema.describe("When the step begins."),
        sampled: sampledSchema
          .nullable()
          .describe("Means of what this coordinator samples every ten seconds. Null where it was not running."),
      }),
    ),
  })
  .meta({ id: "ServiceMetrics" });

export const teamMetricsSchema = rangeSchema
  .extend({
    team_id: idSchema,
    services: z.array(
      endedSchema.extend({
        service_id: idSchema,
        service_name: z.string(),
        ended: z.array(z.int()).describe("Tasks that ended, by step."),
        succeeded: z.array(z.int()).describe("Those of them that succeeded."),
        run_p95_seconds: z.array(z.number().nullable()),
        queued: z.array(z.number().nullable()).describe("Mean number of tasks that wait, by step."),
      }),
    ),
  })
  .meta({ id: "TeamMetrics" });

export interface RangeSource {
  readonly range: Span & { readonly stepMs: number };
  readonly since: number;
}

function rangeRecord({ range, since }: RangeSource): z.output<typeof rangeSchema> {
  return {
    from: timestamp(range.from),
    to: timestamp(range.before),
    step_seconds: range.stepMs / 1000,
    since: timestamp(since),
  };
}

export interface FiguresOfSpan {
  readonly at: number;
  readonly figures: Figures;
}

export function serviceMetricsRecord(
  source: RangeSource,
  serviceId: string,
  points: readonly FiguresOfSpan[],
): z.output<typeof serviceMetricsSchema> {
  return {
    service_id: serviceId,
    ...rangeRecord(source),
    total: endedRecord(totalOf(points.map(({ figures }) => figures))),
    points: points.map(({ at, figures }) => ({
      at: timestamp(at),
      ...endedRecord(figures),
      sampled: sampledRecord(figures),
    })),
  };
}

export interface ServiceFigures {
  readonly service: Pick<Service, "id" | "name">;
  readonly points: readonly Figures[];
}

export function teamMetricsRecord(
  source: RangeSource,
  teamId: string,
  services: readonly ServiceFigures[],
): z.output<typeof teamMetricsSchema> {
  return {
    team_id: teamId,
    ...rangeRecord(source),
    services: services.map(({ service, points }) => ({
      service_id: service.id,
      service_name: service.name,
      ...endedRecord(totalOf(points)),
      ended: points.map(({ tasks }) => Object.values(tasks).reduce((sum, count) => sum + count, 0)),
      succeeded: points.map(({ tasks }) => tasks.succeeded),
      run_p95_seconds: points.map(({ run }) => seconds(percentile(run, 0.95))),
      queued: points.map(({ sampled }) => sampled && rounded(sampled.queued)),
    })),
  };
}

function endedRecord({ tasks, queue, run }: EndedFigures): z.output<typeof endedSchema> {
  return { tasks: { ...tasks }, queue_seconds: timesRecord(queue), run_seconds: timesRecord(run) };
}

function sampledRecord({ sampled }: Figures): z.output<typeof sampledSchema> | null {
  if (sampled === null) return null;
  const { queued, running, workloads, gpus, gpusBusy, memoryBytes } = sampled;
  return {
    queued: rounded(queued),
    running: rounded(running),
    workloads: rounded(workloads),
    gpus: rounded(gpus),
    gpus_busy: rounded(gpusBusy),
    memory_bytes: Math.round(memoryBytes),
  };
}

function timesRecord(histogram: Histogram): z.output<typeof timesSchema> {
  const [p50, p95] = [0.5, 0.95].map((share) => seconds(percentile(histogram, share)));
  return p50 == null || p95 == null ? null : { p50, p95 };
}

/** To the millisecond: the buckets' middles have many digits and mean none of them. */
function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms) / 1000;
}

/** Of a mean, as many digits as its samples give. */
function rounded(mean: number): number {
  return Math.round(100 * mean) / 100;
}
