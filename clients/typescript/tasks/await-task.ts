/** Waits until a task has ended: by long polls, or by its events where progress is wanted. */
import type { Connection } from "../http/connection.ts";
import type { Task } from "../records/records.ts";
import { followTask } from "./follow-task.ts";
import { getTask } from "./get-task.ts";
import { progressOf, type TaskProgress } from "./task-progress.ts";

/** Shorter than proxies let a request wait. */
export const LONG_POLL_S = 25;

export interface AwaitOptions {
  /** Stops waiting; the task continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the task starts, is queued again, or its prover says how far it is. */
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
}

/** The record as it has ended, with or without a result. */
export async function awaitTask(
  connection: Connection,
  taskId: string,
  { signal, onProgress }: AwaitOptions = {},
): Promise<Task> {
  if (onProgress !== undefined) {
    for await (const event of followTask(connection, taskId, { signal })) {
      const progress = progressOf(event);
      if (progress !== null) onProgress(progress);
    }
  }
  for (;;) {
    const task = await getTask(connection, taskId, { waitS: LONG_POLL_S, signal });
    if (task.state !== "PENDING") return task;
  }
}
