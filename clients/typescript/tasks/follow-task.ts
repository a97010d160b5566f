/** The timeline of a task and its progress, as they happen, over cut connections too. */
import { followEvents } from "../events/follow-events.ts";
import type { Connection } from "../http/connection.ts";
import type { TaskEvent, TaskProgressEvent } from "../records/records.ts";

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
}

const FINAL: readonly string[] = [
  "task.succeeded",
  "task.failed",
  "task.cancelled",
  "task.timed_out",
  "task.expired",
] satisfies readonly TaskEvent["type"][];

/** From its creation to its end, each event of the timeline once. */
export async function* followTask(
  connection: Connection,
  taskId: string,
  { signal }: FollowOptions = {},
): AsyncGenerator<TaskEvent | TaskProgressEvent> {
  const path = `/v1/tasks/${encodeURIComponent(taskId)}/events`;
  const events = followEvents(connection, { path, signal, isLast: ({ type }) => FINAL.includes(type) });
  for await (const { data } of events) yield JSON.parse(data) as TaskEvent | TaskProgressEvent;
}
