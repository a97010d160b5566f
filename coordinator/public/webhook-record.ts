/** The one place that knows a webhook's public JSON. Its secret is in no record: it is shown once, when it is made. */
import { z } from "zod";
import { EVENT_TYPES, type Webhook } from "../domain/webhook.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampOrNull, timestampSchema } from "./timestamp.ts";

export const eventTypesSchema = z
  .array(z.enum(EVENT_TYPES))
  .max(EVENT_TYPES.length)
  .nullable()
  .describe("The events to send; null for all, future types included.");

export const webhookSchema = z
  .object({
    webhook_id: idSchema,
    service_id: idSchema,
    team_id: idSchema,
    creator_id: idSchema,
    name: z.string(),
    url: z.string().describe("For a viewer without path and query, which may hold a token."),
    types: eventTypesSchema,
    enabled: z.boolean(),
    disabled_reason: z
      .enum(["asked", "gone"])
      .nullable()
      .describe("`gone`: the receiver responded with 410. Nothing is sent until the webhook is enabled again."),
    disabled: timestampSchema.nullable(),
    created: timestampSchema,
    old_secret_expires: timestampSchema.nullable().describe("Until then the previous secret signs too."),
  })
  .meta({ id: "Webhook" });

export const newSecretSchema = webhookSchema
  .extend({ secret: z.string().describe("`whsec_` and base64. It is shown here once.") })
  .meta({ id: "WebhookWithSecret" });

export type WebhookRecord = z.output<typeof webhookSchema>;

export function webhookRecord(webhook: Webhook): WebhookRecord {
  const { state } = webhook;
  return {
    webhook_id: webhook.id,
    service_id: webhook.serviceId,
    team_id: webhook.teamId,
    creator_id: webhook.creatorId,
    name: webhook.name,
    url: webhook.url,
    types: webhook.types === null ? null : [...webhook.types],
    enabled: state.kind === "enabled",
    disabled_reason: state.kind === "enabled" ? null : state.reason,
    disabled: state.kind === "enabled" ? null : timestamp(state.at),
    created: timestamp(webhook.createdAt),
    old_secret_expires: timestampOrNull(webhook.secrets[1]?.endsAt ?? null),
  };
}
