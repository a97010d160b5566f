/** Webhooks and deliveries as the commands print them. */
import type { DeliveryRecord, WebhookRecord, WebhookWithSecret } from "../api/records.ts";
import { columns } from "./columns.ts";
import { fieldLines } from "./fields.ts";

/** With its secret where that is known. */
export function webhookText(webhook: WebhookRecord & Partial<Pick<WebhookWithSecret, "secret">>): string {
  return fieldLines([
    ["webhook id", webhook.webhook_id],
    ["name", webhook.name],
    ["url", webhook.url],
    ["types", webhook.types === null ? "all" : webhook.types.join(", ")],
    ["state", stateOf(webhook)],
    ["service id", webhook.service_id],
    ["created", webhook.created],
    ["old secret until", webhook.old_secret_expires],
    ...(webhook.secret === undefined ? [] : [["secret", webhook.secret] as const]),
  ]);
}

export function webhookLines(webhooks: readonly WebhookRecord[]): string {
  return columns(
    ["WEBHOOK ID", "NAME", "STATE", "URL"],
    webhooks.map((webhook) => [webhook.webhook_id, webhook.name, stateOf(webhook), webhook.url]),
  );
}

export function deliveryText(delivery: DeliveryRecord): string {
  const attempts = delivery.attempts.map(({ at, duration_ms: ms, status, error }) =>
    [at, `${ms} ms`, [status, error].filter((part) => part !== null).join(" ")].join("  "),
  );
  return fieldLines([
    ["delivery id", delivery.delivery_id],
    ["type", delivery.type],
    ["task id", delivery.task_id],
    ["deployment id", delivery.deployment_id],
    ["state", outcomeOf(delivery)],
    ["created", delivery.created],
    ["next attempt", delivery.next_attempt],
    ["attempts", attempts.length === 0 ? null : `\n${attempts.join("\n")}`],
  ]);
}

export function deliveryLines(deliveries: readonly DeliveryRecord[]): string {
  return columns(
    ["DELIVERY ID", "CREATED", "TYPE", "STATE", "LAST ATTEMPT"],
    deliveries.map((delivery) => [
      delivery.delivery_id,
      delivery.created,
      delivery.type,
      outcomeOf(delivery),
      lastAttempt(delivery),
    ]),
  );
}

/** Of the last attempt, what there is to say in a few words. */
export function lastAttempt({ attempts }: DeliveryRecord): string {
  const last = attempts.at(-1);
  if (last === undefined) return "not attempted yet";
  const came = [last.status === null ? null : `status ${last.status}`, last.error].filter((part) => part !== null);
  return `${came.join(", ")} after ${last.duration_ms} ms`;
}

function stateOf({ enabled, disabled_reason: reason }: WebhookRecord): string {
  if (enabled) return "enabled";
  return reason === "gone" ? "disabled (its receiver responded with 410)" : "disabled";
}

function outcomeOf({ state, drop_reason: reason }: DeliveryRecord): string {
  return reason === null ? state : `${state} (${reason})`;
}
