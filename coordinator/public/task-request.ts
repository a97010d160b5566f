/** The public JSON of a request for a task. The bytes of its `input` are cut out of the body and are not parsed. */
import { z } from "zod";
import { PRIORITY_MAX, PRIORITY_MIN } from "../domain/priority.ts";
import type { TaskBudgets } from "../domain/task.ts";
import { idSchema } from "./id-schema.ts";

const DAY_S = 86_400;

export const taskOptionsSchema = z.object({
  input_url: z
    .string()
    .max(2048)
    .optional()
    .describe("Fetched before the task is created, and handed to the prover byte for byte. At most 1 GiB."),
  input_upload_id: idSchema.optional().describe("The id that POST /v1/uploads returned."),
  priority: z
    .int()
    .min(PRIORITY_MIN)
    .max(PRIORITY_MAX)
    .optional()
    .describe("Among the tasks of its service: each step is worth five minutes of waiting. 0 where it is left out."),
  limits: z
    .strictObject({
      queue_timeout_seconds: z
        .int()
        .min(1)
        .max(7 * DAY_S)
        .optional(),
      start_timeout_seconds: z.int().min(1).optional().describe("At most what the deployment allows."),
      run_timeout_seconds: z.int().min(1).optional().describe("At most what the deployment allows."),
    })
    .optional()
    .describe("The deployment's where they are left out."),
});

/** For the OpenAPI document. */
export const taskRequestSchema = taskOptionsSchema
  .extend({ input: z.unknown().optional().describe("Handed to the prover byte for byte. At most 10 MiB.") })
  .loose()
  .describe(
    "Exactly one of `input`, `input_url` and `input_upload_id`. Other keys are ignored; a key that stands twice is refused.",
  );

export type TaskOptions = z.output<typeof taskOptionsSchema>;

export const NO_BUDGETS: Partial<TaskBudgets> = {};

export function budgetsOf({ limits }: TaskOptions): Partial<TaskBudgets> {
  if (limits === undefined) return NO_BUDGETS;
  const { queue_timeout_seconds: queue, start_timeout_seconds: start, run_timeout_seconds: run } = limits;
  return {
    ...(queue === undefined ? {} : { queueMs: queue * 1000 }),
    ...(start === undefined ? {} : { startMs: start * 1000 }),
    ...(run === undefined ? {} : { runMs: run * 1000 }),
  };
}
