/** The one place that knows the public JSON of a service's log. */
import { z } from "zod";
import type { LogRef } from "../task-logs/task-logs.ts";
import { idSchema } from "./id-schema.ts";
import { eventText } from "./server-event.ts";

const beginSchema = z.object({ type: z.literal("begin"), service_id: idSchema }).meta({ id: "LogBegin" });

const pieceSchema = z
  .object({
    type: z.literal("log"),
    task_id: idSchema,
    attempt: z.int(),
    offset: z.int().describe("Bytes of the attempt's log before the text."),
    bytes: z.int().describe("Of the text."),
    text: z.string(),
  })
  .meta({ id: "LogPiece" });

const skippedSchema = z
  .object({ type: z.literal("skipped"), tasks: z.int().describe("Whose logs are left out: too many ran at a time.") })
  .meta({ id: "LogSkipped" });

export const logEventSchema = z.union([beginSchema, pieceSchema, skippedSchema]);

export interface LogPiece {
  readonly offset: number;
  readonly bytes: number;
  readonly text: string;
}

type LogEvent = z.output<typeof logEventSchema>;

export function beginText(serviceId: string): string {
  return text({ type: "begin", service_id: serviceId });
}

export function pieceText({ taskId, attempt }: Pick<LogRef, "taskId" | "attempt">, piece: LogPiece): string {
  return text({ type: "log", task_id: taskId, attempt, ...piece });
}

export function skippedText(tasks: number): string {
  return text({ type: "skipped", tasks });
}

function text(data: LogEvent): string {
  return eventText({ type: data.type, data });
}
