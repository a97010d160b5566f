/** A webhook's secrets: `whsec_` and random bytes in base64, as verifiers of Standard Webhooks take them. */
import { randomBytes } from "node:crypto";
import { liveSecrets, type Webhook } from "../domain/webhook.ts";
import type { Secrets } from "./secrets.ts";

const PREFIX = "whsec_";
/** The specification requires 24 to 64. */
const SECRET_BYTES = 32;

export interface NewWebhookSecret {
  /** Shown once. */
  readonly text: string;
  /** Stored in the webhook's record. */
  readonly sealed: string;
}

export function newWebhookSecret(secrets: Pick<Secrets, "seal">, webhookId: string): NewWebhookSecret {
  const bytes = randomBytes(SECRET_BYTES);
  return { text: PREFIX + bytes.toString("base64"), sealed: secrets.seal(bytes, webhookSecretContext(webhookId)) };
}

/** The keys that sign now, newest first. */
export function openWebhookSecrets(
  secrets: Pick<Secrets, "open">,
  webhook: Pick<Webhook, "id" | "secrets">,
  now: number,
): readonly Buffer[] {
  return liveSecrets(webhook, now).map(({ sealed }) => secrets.open(sealed, webhookSecretContext(webhook.id)));
}

/** Bound to the webhook: one's secret put into another's record does not open. */
export function webhookSecretContext(webhookId: string): string {
  return `webhook-secret/${webhookId}`;
}
