/** The one place that knows a delivery's public JSON. */
import { z } from "zod";
import type { Delivery } from "../domain/delivery.ts";
import { EVENT_TYPES, TEST_EVENT_TYPE } from "../domain/webhook.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const deliveryStates = ["pending", "delivered", "failed", "dropped"] as const;

export const deliverySchema = z
  .object({
    delivery_id: idSchema.describe("Sent as `webhook-id`, the same with every attempt."),
    webhook_id: idSchema,
    service_id: idSchema,
    type: z.enum([...EVENT_TYPES, TEST_EVENT_TYPE]),
    task_id: idSchema.nullable(),
    deployment_id: idSchema.nullable(),
    build_id: idSchema.nullable().describe("With `deployment.failed`, of a build from which no deployment came."),
    state: z.enum(deliveryStates),
    drop_reason: z
      .enum(["webhook_disabled", "queue_full", "too_old", "subject_gone"])
      .nullable()
      .describe("Why it is no longer attempted though attempts were left."),
    created: timestampSchema,
    next_attempt: timestampSchema.nullable().describe("Null unless pending."),
    ended: timestampSchema.nullable(),
    attempts: z
      .array(
        z.object({
          at: timestampSchema,
          duration_ms: z.int(),
          status: z.int().nullable().describe("Of the response; null where there was none."),
          error: z.string().nullable().describe("Why there was no valid response, such as `timeout`."),
          answer: z.string().nullable().describe("The first 256 characters of its body; of the newest attempt only."),
        }),
      )
      .describe("The last ten."),
  })
  .meta({ id: "Delivery" });

export const deliveryWithRequestSchema = deliverySchema
  .extend({
    request: z
      .object({
        url: z.string(),
        headers: z.record(z.string(), z.string()).describe("Without the time and the signature of each attempt."),
        body: z.string(),
      })
      .nullable()
      .describe(
        "What an attempt would post now; null where what it is about is gone, and for a key without the scope tasks:read.",
      ),
  })
  .meta({ id: "DeliveryWithRequest" });

export type DeliveryRecord = z.output<typeof deliverySchema>;

export function deliveryRecord(delivery: Delivery): DeliveryRecord {
  const { phase, type, subjectId, subjectKind } = delivery;
  return {
    delivery_id: delivery.id,
    webhook_id: delivery.webhookId,
    service_id: delivery.serviceId,
    type,
    task_id: type.startsWith("task.") ? subjectId : null,
    deployment_id: type.startsWith("deployment.") && subjectKind === undefined ? subjectId : null,
    build_id: subjectKind === "build" ? subjectId : null,
    state: phase.kind,
    drop_reason: phase.kind === "dropped" ? phase.reason : null,
    created: timestamp(delivery.createdAt),
    next_attempt: phase.kind === "pending" ? timestamp(phase.nextAt) : null,
    ended: phase.kind === "pending" ? null : timestamp(phase.at),
    attempts: delivery.attempts.map(({ at, ms, status, error, answer = null }) => ({
      at: timestamp(at),
      duration_ms: ms,
      status,
      error,
      answer,
    })),
  };
}
