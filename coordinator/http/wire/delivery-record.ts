/** The one place that knows a delivery's public JSON. What a receiver answered is told by its status alone. */
import { z } from "zod";
import type { Delivery } from "../../domain/delivery.ts";
import { EVENT_TYPES, TEST_EVENT_TYPE } from "../../domain/webhook.ts";
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
          status: z.int().nullable().describe("Of the answer; null where none came."),
          error: z.string().nullable().describe("Why there was no answer that counts, such as `timeout`."),
        }),
      )
      .describe("The last ten."),
  })
  .meta({ id: "Delivery" });

export type DeliveryRecord = z.output<typeof deliverySchema>;

export function deliveryRecord(delivery: Delivery): DeliveryRecord {
  const { phase, type, subjectId } = delivery;
  return {
    delivery_id: delivery.id,
    webhook_id: delivery.webhookId,
    service_id: delivery.serviceId,
    type,
    task_id: type.startsWith("task.") ? subjectId : null,
    deployment_id: type.startsWith("deployment.") ? subjectId : null,
    state: phase.kind,
    drop_reason: phase.kind === "dropped" ? phase.reason : null,
    created: timestamp(delivery.createdAt),
    next_attempt: phase.kind === "pending" ? timestamp(phase.nextAt) : null,
    ended: phase.kind === "pending" ? null : timestamp(phase.at),
    attempts: delivery.attempts.map(({ at, ms, status, error }) => ({
      at: timestamp(at),
      duration_ms: ms,
      status,
      error,
    })),
  };
}
