/** What happened to a task so far, gathered from its server-sent events. Pure. */
import type { components } from "elastic-client/gen/schema.ts";
import type { ServerEvent } from "../api/use-server-events.ts";

export type TaskEvent = components["schemas"]["TaskEvent"];
type ProgressEvent = components["schemas"]["TaskProgressEvent"];

export interface TaskHistory {
  /** In order, without gaps. */
  readonly events: readonly TaskEvent[];
  /** What the running attempt reports; null where it reports nothing. */
  readonly progress: Pick<ProgressEvent, "fraction" | "message"> | null;
}

export const NO_HISTORY: TaskHistory = { events: [], progress: null };

export const TASK_EVENT_TYPES = [
  "task.created",
  "task.started",
  "task.requeued",
  "task.succeeded",
  "task.failed",
  "task.cancelled",
  "task.timed_out",
  "task.expired",
  "task.progress",
] as const satisfies readonly (TaskEvent["type"] | ProgressEvent["type"])[];

/** A stream that begins again repeats its events, under the same ids. */
export function withTaskEvent(history: TaskHistory, { id, type, data }: ServerEvent): TaskHistory {
  if (type === "task.progress") return { ...history, progress: data as ProgressEvent };
  const isNew = Number(id) === history.events.length;
  return isNew ? { events: [...history.events, data as TaskEvent], progress: null } : history;
}

export interface Attempt {
  readonly number: number;
  readonly nodeId: string | null;
  readonly started: string;
  /** Null while it runs. */
  readonly ended: string | null;
  /** Why it ended; null while it runs and where it succeeded. */
  readonly reason: TaskEvent["reason"];
}

export function attemptsOf(events: readonly TaskEvent[]): readonly Attempt[] {
  const attempts: Attempt[] = [];
  for (const { type, at, attempt, node_id, reason } of events) {
    if (type === "task.started") {
      attempts.push({
        number: attempt ?? attempts.length + 1,
        nodeId: node_id,
        started: at,
        ended: null,
        reason: null,
      });
      continue;
    }
    const last = attempts.at(-1);
    if (last?.ended === null) attempts[attempts.length - 1] = { ...last, ended: at, reason };
  }
  return attempts;
}
