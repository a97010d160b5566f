/** A webhook: where a service's events are sent, and with which secrets they are signed. */
import type { Instant } from "@elastic/std/clock.ts";
import type { TerminalPhase } from "./task.ts";

export const EVENT_TYPES = [
  "task.succeeded",
  "task.failed",
  "task.cancelled",
  "task.timed_out",
  "task.expired",
  "deployment.ready",
  "deployment.failed",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Sent on request, to any webhook, whatever types it receives. */
export const TEST_EVENT_TYPE = "webhook.test";

/** `asked`: by its team. `gone`: its receiver responded with 410. */
export type DisabledReason = "asked" | "gone";

type WebhookState =
  | { readonly kind: "enabled" }
  | { readonly kind: "disabled"; readonly reason: DisabledReason; readonly at: Instant };

export interface WebhookSecret {
  /** By `secrets`, for this webhook. */
  readonly sealed: string;
  /** Null for the newest. */
  readonly endsAt: Instant | null;
}

export interface Webhook {
  readonly id: string;
  readonly teamId: string;
  readonly serviceId: string;
  readonly creatorId: string;
  readonly createdAt: Instant;
  readonly name: string;
  readonly url: string;
  /** Null for every type, those to come included. */
  readonly types: readonly EventType[] | null;
  readonly state: WebhookState;
  /** Newest first. */
  readonly secrets: readonly WebhookSecret[];
}

/** How long a receiver may take to learn the new secret. */
const ROTATION_MS = 24 * 3_600_000;
/** The newest, and the one before while it lives. */
const SECRETS_MAX = 2;

export function eventTypeOf(phase: TerminalPhase): EventType {
  return `task.${phase.kind}`;
}

export function isEnabled({ state }: Pick<Webhook, "state">): boolean {
  return state.kind === "enabled";
}

/** Whether the webhook receives such an event. */
export function wants(webhook: Webhook, type: EventType): boolean {
  return isEnabled(webhook) && (webhook.types === null || webhook.types.includes(type));
}

export function enable(webhook: Webhook): Webhook {
  return isEnabled(webhook) ? webhook : { ...webhook, state: { kind: "enabled" } };
}

/** Why it was first disabled stands. */
export function disable(webhook: Webhook, reason: DisabledReason, now: Instant): Webhook {
  return isEnabled(webhook) ? { ...webhook, state: { kind: "disabled", reason, at: now } } : webhook;
}

/** The new secret signs at once; the one before signs too for a day, and an older one no longer. */
export function rotateSecret(webhook: Webhook, sealed: string, now: Instant): Webhook {
  const [newest] = webhook.secrets;
  const before = newest === undefined ? [] : [{ sealed: newest.sealed, endsAt: now + ROTATION_MS }];
  return { ...webhook, secrets: [{ sealed, endsAt: null }, ...before].slice(0, SECRETS_MAX) };
}

/** The secrets that sign now, newest first. */
export function liveSecrets({ secrets }: Pick<Webhook, "secrets">, now: Instant): readonly WebhookSecret[] {
  return secrets.filter(({ endsAt }) => endsAt === null || endsAt > now);
}
