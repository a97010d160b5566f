/**
 * Changes a task's record. Where that ends the task, the same commit holds a delivery for each webhook that is told
 * of it: what was committed is told, at least once, and nothing is told before.
 */
import { newId } from "@elastic/std/ids.ts";
import { newDelivery } from "../domain/delivery.ts";
import { isTerminal, type Task } from "../domain/task.ts";
import { eventTypeOf, wants } from "../domain/webhook.ts";
import { create, replace } from "./change.ts";
import type { Change, Versioned, View } from "./store.ts";

/** Instead of a `replace` wherever the change may end the task. */
export function taskChanges(view: Pick<View, "webhooks">, before: Versioned<Task>, after: Task): Change[] {
  const changes = [replace("tasks", before, after)];
  const { phase } = after;
  if (!isTerminal(phase)) return changes;
  for (const { value: webhook } of view.webhooks.of(after.serviceId)) {
    const type = eventTypeOf(phase);
    if (!wants(webhook, type)) continue;
    const event = { type, subjectId: after.id, createdAt: phase.finishedAt };
    changes.push(create("deliveries", newDelivery(newId(phase.finishedAt), webhook, event)));
  }
  return changes;
}
