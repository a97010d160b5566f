/** Cancels one task, whoever changes it meanwhile. */
import { traceFields } from "@elastic/std/tracing/trace-context.ts";
import type { Tracing } from "@elastic/std/tracing/tracing.ts";
import { cancelTask } from "../../domain/cancel-task.ts";
import { isTerminal, type Task } from "../../domain/task.ts";
import { endSpan } from "../../domain/task-span.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { TaskMetrics } from "../../metrics/task-metrics.ts";
import { taskChanges } from "../../store/task-end.ts";
import { update } from "../../store/update.ts";
import type { RecordDeps } from "../deps/record-deps.ts";

export interface CancelDeps extends RecordDeps {
  readonly metrics: { readonly tasks: Pick<TaskMetrics, "ended">; readonly tracing: Pick<Tracing, "record"> };
}

/** The task as it has ended. `seen` may be stale; `read` returns the current record. */
export async function cancelOne(
  deps: CancelDeps,
  seen: Versioned<Task>,
  read: () => Promise<Versioned<Task>>,
  requestId: string,
): Promise<Task> {
  const now = deps.clock.now();
  const { result: task, isChanged } = await update(deps.store, {
    read: (isAgain) => (isAgain ? read() : seen),
    decide: (before) => {
      if (isTerminal(before.value.phase)) return { changes: [], result: before.value };
      const cancelled = cancelTask(before.value, now);
      return { changes: taskChanges(deps.store.view, before, cancelled), result: cancelled };
    },
  });
  if (!isChanged) return task;
  deps.metrics.tasks.ended("cancelled", "cancelled", now - task.createdAt);
  deps.metrics.tracing.record(task.traceparent, endSpan(task, now, deps.clock.now()));
  deps.log.info({ requestId, taskId: task.id, ...traceFields(task.traceparent) }, "task cancelled");
  return task;
}
