/**
 * A delivery of an event for each webhook of its service that receives it: to be committed together with the change
 * that the event is about, so that what was committed is sent at least once, and nothing is sent before.
 */
import { newId } from "@elastic/std/ids.ts";
import { type Delivery, newDelivery } from "../domain/delivery.ts";
import { type EventType, wants } from "../domain/webhook.ts";
import { create } from "./change.ts";
import type { Change, View } from "./store.ts";

export interface ServiceEvent extends Pick<Delivery, "subjectId" | "subjectKind" | "createdAt" | "traceparent"> {
  readonly type: EventType;
}

export function eventDeliveries(view: Pick<View, "webhooks">, serviceId: string, event: ServiceEvent): Change[] {
  const changes: Change[] = [];
  for (const { value: webhook } of view.webhooks.of(serviceId)) {
    if (!wants(webhook, event.type)) continue;
    changes.push(create("deliveries", newDelivery(newId(event.createdAt), webhook, event)));
  }
  return changes;
}
