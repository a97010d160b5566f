/** Reads a task, as it is or as soon as it has ended. */
import { call } from "../http/call.ts";
import type { Connection } from "../http/connection.ts";
import type { Task } from "../records/records.ts";

/** Records are large: an input and a result of megabytes. */
const TASK_TIMEOUT_MS = 120_000;

export interface GetTaskOptions {
  /** Respond once the task has ended, or after so many seconds. */
  readonly waitS?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function getTask(
  connection: Connection,
  taskId: string,
  { waitS = 0, signal }: GetTaskOptions = {},
): Promise<Task> {
  const path = `/v1/tasks/${encodeURIComponent(taskId)}${waitS === 0 ? "" : `?wait=${waitS}`}`;
  const timeoutMs = TASK_TIMEOUT_MS + waitS * 1000;
  return (await call(connection, { method: "GET", path, timeoutMs, signal })) as Task;
}
