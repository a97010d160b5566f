/** The one place that knows the public JSON of a task's timeline. */
import { z } from "zod";
import { FAILURE_REASONS } from "../domain/failure.ts";
import type { Task } from "../domain/task.ts";
import { eventsOf, type TaskEvent } from "../domain/timeline.ts";
import type { Progress } from "../progress/progress-board.ts";
import { idSchema } from "./id-schema.ts";
import type { ServerEvent } from "./server-event.ts";
import { publicStates } from "./task-record.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

const TYPES = [
  "task.created",
  "task.started",
  "task.requeued",
  "task.succeeded",
  "task.failed",
  "task.cancelled",
  "task.timed_out",
  "task.expired",
] as const;

export const taskEventSchema = z
  .object({
    type: z.enum(TYPES),
    task_id: idSchema,
    service_id: idSchema,
    at: timestampSchema,
    state: z.enum(publicStates).describe("Of the task, once this had happened."),
    attempt: z.int().nullable().describe("The attempt that it is about; null before the first."),
    node_id: z.string().nullable().describe("With task.started: the machine, to name it to an operator."),
    reason: z.enum(FAILURE_REASONS).nullable().describe("Why the attempt or the task ended."),
  })
  .meta({ id: "TaskEvent" });

export const taskProgressEventSchema = z
  .object({
    type: z.literal("task.progress"),
    task_id: idSchema,
    attempt: z.int(),
    fraction: z.number().min(0).max(1),
    message: z.string(),
  })
  .meta({ id: "TaskProgressEvent" });

/** While the task runs; it is not sent again. */
export function progressEvent(taskId: string, attempt: number, { fraction, message }: Progress): ServerEvent {
  const type = "task.progress";
  const data: z.output<typeof taskProgressEventSchema> = { type, task_id: taskId, attempt, fraction, message };
  return { type, data };
}

type TaskEventRecord = z.output<typeof taskEventSchema>;

/** The task's events from the one with this id on. */
export function serverEvents(task: Task, from: number): ServerEvent[] {
  return eventsOf(task.timeline).flatMap((event, id) => {
    if (id < from) return [];
    const data = eventRecord(task, event);
    return [{ id, type: data.type, data }];
  });
}

function eventRecord(task: Task, { at, event, attempt, nodeId, reason }: TaskEvent): TaskEventRecord {
  return {
    type: `task.${event}`,
    task_id: task.id,
    service_id: task.serviceId,
    at: timestamp(at),
    state: stateAfter(event),
    attempt,
    node_id: nodeId,
    reason,
  };
}

function stateAfter(event: TaskEvent["event"]): TaskEventRecord["state"] {
  if (event === "succeeded") return "SUCCESS";
  return event === "created" || event === "started" || event === "requeued" ? "PENDING" : "FAILURE";
}
