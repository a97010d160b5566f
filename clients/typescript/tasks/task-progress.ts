/** How far a task is, as its events say. */
import type { TaskEvent, TaskProgressEvent } from "../records/records.ts";

export interface TaskProgress {
  readonly taskId: string;
  readonly phase: "queued" | "running";
  /** Attempts started so far. */
  readonly attempt: number;
  /** From 0 to 1; null where the prover says nothing of it. */
  readonly fraction: number | null;
  readonly message: string;
}

/** Null for an event that ends the task. */
export function progressOf(event: TaskEvent | TaskProgressEvent): TaskProgress | null {
  const { task_id: taskId, attempt } = event;
  const at = { taskId, attempt: attempt ?? 0 };
  switch (event.type) {
    case "task.progress":
      return { ...at, phase: "running", fraction: event.fraction, message: event.message };
    case "task.created":
    case "task.requeued":
      return { ...at, phase: "queued", fraction: null, message: "" };
    case "task.started":
      return { ...at, phase: "running", fraction: null, message: "" };
    default:
      return null;
  }
}
