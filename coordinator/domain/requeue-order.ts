/**
 * An operator's word that machines that went are gone, however many: until it ends, losing most of the fleet at once
 * does not keep their tasks from others (scheduler/decide/judge-nodes.ts). There is one at most.
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface RequeueOrder {
  readonly id: typeof REQUEUE_ORDER;
  /** Of a time, so that the next loss is judged on its own. */
  readonly until: Instant;
  readonly userId: string;
}

export const REQUEUE_ORDER = "requeue";
const LASTS_MS = 600_000;

export function orderRequeue(userId: string, now: Instant): RequeueOrder {
  return { id: REQUEUE_ORDER, until: now + LASTS_MS, userId };
}

export function holds(order: RequeueOrder | undefined, now: Instant): boolean {
  return order !== undefined && now < order.until;
}
