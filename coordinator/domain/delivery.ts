/**
 * One event on its way to one webhook. Its id goes with every try, so that a receiver knows what it has seen.
 *
 *   pending ──a try is taken──▶ delivered
 *     │  └────tries run out───▶ failed ──redeliver──▶ pending (one more try; of delivered and dropped too)
 *     └─webhook disabled, queue full, too old, its subject is gone──▶ dropped
 */
import type { Instant } from "@elastic/std/clock.ts";
import { TRIES_MAX, waitAfter } from "./delivery-schedule.ts";
import type { EventType, TEST_EVENT_TYPE, Webhook } from "./webhook.ts";

/** Why a delivery is no longer tried though tries were left. */
export type DropReason = "webhook_disabled" | "queue_full" | "too_old" | "subject_gone";

export interface DeliveryAttempt {
  readonly at: Instant;
  /** How long it took. */
  readonly ms: number;
  /** Of the response; null where none came. */
  readonly status: number | null;
  /** Why there was no response, or none that counts; null where the status says it all. */
  readonly error: string | null;
  /** The first characters of its body. Of the newest attempt only: the record stays small. */
  readonly answer?: string | null;
}

interface Pending {
  readonly kind: "pending";
  /** Tries of the schedule that are used up. */
  readonly tries: number;
  readonly nextAt: Instant;
}

type EndedDelivery =
  | { readonly kind: "delivered" | "failed"; readonly at: Instant }
  | { readonly kind: "dropped"; readonly at: Instant; readonly reason: DropReason };

export type DeliveryPhase = Pending | EndedDelivery;

export interface Delivery {
  /** Sent as `webhook-id`. */
  readonly id: string;
  readonly webhookId: string;
  readonly serviceId: string;
  readonly teamId: string;
  readonly type: EventType | typeof TEST_EVENT_TYPE;
  /** Id of its subject, a task or deployment; of a test that of the webhook. */
  readonly subjectId: string;
  /** Left out where the type says it: a deployment that failed may be a build from which none came. */
  readonly subjectKind?: "build";
  /** When its event happened. */
  readonly createdAt: Instant;
  /** Of the task that it is about, where that has a trace. */
  readonly traceparent?: string;
  /** The last ten. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly phase: DeliveryPhase;
}

/** More are made manually only. */
const ATTEMPTS_RETAINED_MAX = TRIES_MAX;
const GONE = 410;

export function newDelivery(
  id: string,
  webhook: Pick<Webhook, "id" | "serviceId" | "teamId">,
  event: Pick<Delivery, "type" | "subjectId" | "subjectKind" | "createdAt" | "traceparent">,
): Delivery {
  return {
    id,
    webhookId: webhook.id,
    serviceId: webhook.serviceId,
    teamId: webhook.teamId,
    ...event,
    attempts: [],
    // A test is tried once: whoever requested it is watching.
    phase: { kind: "pending", tries: event.type === "webhook.test" ? TRIES_MAX - 1 : 0, nextAt: event.createdAt },
  };
}

/** What is known of a try that was made. */
export interface Tried extends DeliveryAttempt {
  /** Milliseconds that the receiver requested to wait. */
  readonly retryAfterMs: number | null;
}

/** `random`, from 0 to 1, spreads the next try. */
export function afterTry(delivery: Delivery, tried: Tried, random: number): Delivery {
  const { phase } = delivery;
  if (phase.kind !== "pending") throw new Error(`delivery ${delivery.id} is ${phase.kind}, not pending`);
  const { at, ms, status, error, answer = null } = tried;
  const earlier = delivery.attempts.map(({ answer: _, ...attempt }) => attempt);
  const attempts = [...earlier, { at, ms, status, error, answer }].slice(-ATTEMPTS_RETAINED_MAX);
  const endedAt = at + ms;
  if (wasTaken(tried)) return { ...delivery, attempts, phase: { kind: "delivered", at: endedAt } };
  const tries = phase.tries + 1;
  const waitMs = isGone(tried) ? null : waitAfter(tries, random, tried.retryAfterMs);
  if (waitMs === null) return { ...delivery, attempts, phase: { kind: "failed", at: endedAt } };
  return { ...delivery, attempts, phase: { kind: "pending", tries, nextAt: endedAt + waitMs } };
}

export function drop(delivery: Delivery, reason: DropReason, now: Instant): Delivery {
  return { ...delivery, phase: { kind: "dropped", at: now, reason } };
}

/** At once: a pending one resumes its schedule after that, an ended one is tried once more. */
export function redeliver(delivery: Delivery, now: Instant): Delivery {
  const { phase } = delivery;
  const tries = phase.kind === "pending" ? phase.tries : TRIES_MAX - 1;
  return { ...delivery, phase: { kind: "pending", tries, nextAt: now } };
}

function wasTaken({ status, error }: Pick<DeliveryAttempt, "status" | "error">): boolean {
  return error === null && status !== null && status >= 200 && status < 300;
}

/** The receiver wants nothing further of the webhook, ever. */
export function isGone({ status }: Pick<DeliveryAttempt, "status">): boolean {
  return status === GONE;
}
