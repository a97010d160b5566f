/** The one place that knows a batch's public JSON. */
import { z } from "zod";
import { isComplete, type TaskBatch, taskIdAt } from "../domain/task-batch.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

const MESSAGES = {
  service_deleted: "The service was deleted before the other tasks were created.",
  inputs_damaged: "The inputs of the other tasks are damaged or missing: send them again as a new batch.",
} as const;

export const batchSchema = z
  .object({
    batch_id: idSchema,
    team_id: idSchema,
    service_id: idSchema,
    created: timestampSchema,
    state: z
      .enum(["CREATING", "CREATED", "ABANDONED"])
      .describe(
        "CREATING ends within seconds. Of one that is ABANDONED the tasks from `tasks_created` on are never created.",
      ),
    tasks_created: z.int().describe("So many of the tasks exist, in the order of the inputs."),
    task_ids: z.array(idSchema).describe("Of every input, in their order."),
    message: z.string().nullable().describe("Why it was abandoned; null where it was not."),
  })
  .meta({ id: "Batch" });

export function batchRecord(batch: TaskBatch): z.output<typeof batchSchema> {
  const { abandoned } = batch;
  return {
    batch_id: batch.id,
    team_id: batch.teamId,
    service_id: batch.serviceId,
    created: timestamp(batch.createdAt),
    state: abandoned !== undefined ? "ABANDONED" : isComplete(batch) ? "CREATED" : "CREATING",
    tasks_created: batch.created,
    task_ids: Array.from({ length: batch.count }, (_, index) => taskIdAt(batch, index)),
    message: abandoned === undefined ? null : MESSAGES[abandoned.why],
  };
}
