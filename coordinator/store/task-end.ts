/** Changes a task's record; where that ends the task, together with the deliveries of its event. */
import { isTerminal, type Task } from "../domain/task.ts";
import type { Versioned } from "../domain/versioned.ts";
import { eventTypeOf } from "../domain/webhook.ts";
import { replace } from "./change.ts";
import { eventDeliveries } from "./event-deliveries.ts";
import type { Change, View } from "./store.ts";

/** Instead of a `replace` wherever the change may end the task. */
export function taskChanges(view: Pick<View, "webhooks">, before: Versioned<Task>, after: Task): Change[] {
  const change = replace("tasks", before, after);
  const { phase, id, serviceId, traceparent } = after;
  // Nobody posted a canary, so nobody waits for it.
  if (!isTerminal(phase) || after.canaryOf !== undefined) return [change];
  const event = {
    type: eventTypeOf(phase),
    subjectId: id,
    createdAt: phase.finishedAt,
    ...(traceparent && { traceparent }),
  };
  return [change, ...eventDeliveries(view, serviceId, event)];
}
