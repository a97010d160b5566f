/** The one place that knows the public JSON of a roll-out's events. */
import type { Instant } from "@elastic/std/clock.ts";
import { z } from "zod";
import { WORKLOAD_STEPS } from "../domain/assignment.ts";
import { ROLL_OUT_STAGES, type RollOut, type RollOutEvent } from "../domain/roll-out.ts";
import type { StartProgress } from "../progress/start-board.ts";
import { deploymentFailureSchema, failureRecord } from "./deployment-failure.ts";
import { idSchema } from "./id-schema.ts";
import type { ServerEvent } from "./server-event.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const deploymentEventSchema = z
  .object({
    type: z.enum(ROLL_OUT_STAGES.map((stage) => `deployment.${stage}` as const)),
    deployment_id: idSchema,
    service_id: idSchema,
    at: timestampSchema,
    note: z.string().nullable().describe("What is waited for, or what made it begin."),
    task_id: idSchema.nullable().describe("The task that shows whether it proves, with `deployment.proving`."),
    bytes: z.int().nullable().describe("Brought to the node, with `deployment.pulled`; 0 when it had all."),
    failure: deploymentFailureSchema.describe("With `deployment.retrying` and `deployment.failed`."),
  })
  .meta({ id: "DeploymentEvent" });

export const deploymentProgressSchema = z
  .object({
    type: z.literal("deployment.progress"),
    deployment_id: idSchema,
    service_id: idSchema,
    at: timestampSchema,
    stage: z.enum(WORKLOAD_STEPS),
    done_bytes: z.int(),
    total_bytes: z.int().describe("As far as it is known; it may grow."),
  })
  .meta({ id: "DeploymentProgress" });

type DeploymentEventRecord = z.output<typeof deploymentEventSchema>;

/** The roll-out's events from the one with this id on. */
export function stageEvents(rollOut: RollOut, from: number): ServerEvent[] {
  return rollOut.events.flatMap((event, id) => {
    if (id < from) return [];
    const data = eventRecord(rollOut, event);
    return [{ id, type: data.type, data }];
  });
}

export function progressEvent(rollOut: RollOut, progress: StartProgress, now: Instant): ServerEvent {
  const type = "deployment.progress";
  const data: z.output<typeof deploymentProgressSchema> = {
    type,
    deployment_id: rollOut.id,
    service_id: rollOut.serviceId,
    at: timestamp(now),
    stage: progress.step,
    done_bytes: progress.doneBytes,
    total_bytes: progress.totalBytes,
  };
  return { type, data };
}

function eventRecord(rollOut: RollOut, event: RollOutEvent): DeploymentEventRecord {
  return {
    type: `deployment.${event.stage}`,
    deployment_id: rollOut.id,
    service_id: rollOut.serviceId,
    at: timestamp(event.at),
    note: event.note,
    task_id: event.taskId ?? null,
    bytes: event.bytes,
    failure: failureRecord(event.failure),
  };
}
