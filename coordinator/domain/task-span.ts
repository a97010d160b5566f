/** The steps of a task as spans of its trace: each is recorded by whoever committed it, below the span that accepted the task. */
import type { SpanText } from "@elastic/std/tracing/tracing.ts";
import type { Task } from "./task.ts";

type TaskStep = "queue" | "dispatch" | "end" | "requeue" | "webhook";

export function taskSpan(step: TaskStep, { id, serviceId }: Pick<Task, "id" | "serviceId">): SpanText {
  return { name: step, attributes: { "elastic.task.id": id, "elastic.service.id": serviceId } };
}

/** The step that `after` is the end of: of the task, or of an attempt that will be repeated. */
export function endSpan(after: Task, fromMs: number, toMs: number) {
  const { phase } = after;
  const failure = phase.kind === "queued" ? phase.lastFailure : "failure" in phase ? phase.failure : null;
  return {
    ...taskSpan(phase.kind === "queued" ? "requeue" : "end", after),
    fromMs,
    toMs,
    ...(failure === null ? {} : { error: failure.reason }),
  };
}
