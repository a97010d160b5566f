/** How the OpenAPI document describes what is sent to webhooks. */
import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import { EVENT_TYPES, TEST_EVENT_TYPE } from "../../domain/webhook.ts";

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" as const },
});

type Document = NonNullable<FastifyDynamicSwaggerOptions["openapi"]>;
type Webhooks = NonNullable<Extract<Document, { webhooks?: unknown }>["webhooks"]>;

export const WEBHOOK_EVENTS: Webhooks = {
  event: {
    post: {
      operationId: "webhookEvent",
      summary: "What is posted to a webhook",
      description:
        "Standard Webhooks 1.0, at least once for each event: repetitions have the same `webhook-id`. Any 2xx accepts it and " +
        "410 disables the webhook; after anything else, redirects too, it is sent again, ten times within 75 hours and 35 " +
        "minutes. The body is below 20 kB: a longer result is left to `result_url`, and `input` is always null.",
      tags: ["webhooks"],
      parameters: [
        header("webhook-id", "The same with every attempt."),
        header("webhook-timestamp", "Seconds since 1970, of this attempt; refuse what is older than five minutes."),
        header(
          "webhook-signature",
          "`v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`; two, separated by a space, while a secret is rotated.",
        ),
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["type", "timestamp", "data"],
              properties: {
                type: { type: "string", enum: [...EVENT_TYPES, TEST_EVENT_TYPE] },
                timestamp: { type: "string", format: "date-time", description: "When it happened." },
                data: {
                  oneOf: [
                    { $ref: "#/components/schemas/Task" },
                    { $ref: "#/components/schemas/Deployment" },
                    {
                      type: "object",
                      required: ["webhook_id", "service_id"],
                      properties: { webhook_id: { type: "string" }, service_id: { type: "string" } },
                    },
                  ],
                },
              },
            },
          },
        },
      },
      responses: { "2XX": { description: "Taken." }, "410": { description: "Send nothing more to this webhook." } },
    },
  },
};
