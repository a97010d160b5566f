/** POST /v1/services/:id/webhooks. Only this response has the secret. */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Webhook } from "../../domain/webhook.ts";
import { nameSchema } from "../../public/name-schema.ts";
import { refusals } from "../../public/refusals.ts";
import { eventTypesSchema, newSecretSchema, webhookRecord, webhookSchema } from "../../public/webhook-record.ts";
import { newWebhookSecret } from "../../secrets/webhook-secrets.ts";
import { create, unchanged } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { EgressDeps } from "../deps/egress-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { OneTimeCreations, type Remember, secretOnceHeaders } from "../idempotency/create-once.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { Problem } from "../problems/problem.ts";
import { checkWebhookUrl } from "./check-webhook-url.ts";
import { shownWebhook } from "./shown-webhook.ts";

const bodySchema = z.strictObject({
  name: nameSchema,
  url: z.string().describe("Where events are posted: https, and reachable from outside."),
  types: eventTypesSchema.default(null),
});

const schema = {
  operationId: "createWebhook",
  summary: "Create a webhook",
  description:
    "Events are sent as Standard Webhooks 1.0, at least once, signed with the secret of the response. It receives events " +
    "once every coordinator knows of it, which takes moments: events of the first second may be missing, and the task " +
    "itself says how it ended.",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  headers: secretOnceHeaders,
  body: bodySchema,
  response: { 200: webhookSchema, 201: newSecretSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function createWebhook(app: App, deps: CallerDeps & RecordDeps & QuotaDeps & EgressDeps & SecretDeps): void {
  const creations = new OneTimeCreations(deps, schema.operationId);
  app.route({
    method: "POST",
    url: "/v1/services/:id/webhooks",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { value: service } = await readVisible(deps.store, key, "services", request.params.id);
      const { made, isReplay } = await creations.run<Made>({
        request,
        teamId: service.teamId,
        find: async (id) => ({ webhook: (await readVisible(deps.store, key, "webhooks", id)).value, secret: null }),
        make: (remember) => {
          checkWebhookUrl(deps, request.body.url);
          return keep(deps, key, service.id, request.body, remember);
        },
      });
      const { webhook, secret } = made;
      reply.header("location", `${deps.publicUrl()}/v1/webhooks/${webhook.id}`);
      if (isReplay) reply.header("idempotent-replayed", "true");
      if (secret === null) return reply.code(200).send(webhookRecord(shownWebhook(deps.store.view, key, webhook)));
      const facts = { webhookId: webhook.id, serviceId: webhook.serviceId, byKeyId: key.id };
      audit(deps.log, "webhook_created", { requestId: request.id, ...facts });
      return reply.code(201).send({ ...webhookRecord(webhook), secret });
    },
  });
}

interface Made {
  readonly webhook: Webhook;
  /** Null for what an earlier request has made. */
  readonly secret: string | null;
}

/** In one commit with the service as it was read, so that none is made for a service that is just being deleted. */
async function keep(
  deps: QuotaDeps & Pick<RecordDeps, "store" | "clock"> & SecretDeps,
  key: AccessKey,
  serviceId: string,
  requested: z.output<typeof bodySchema>,
  remember: Remember,
): Promise<Made> {
  const { store, quotas, clock, secrets } = deps;
  const give = quotas.take("webhooksPerService", serviceId, store.view.webhooks.countOf(serviceId));
  try {
    const { result } = await update(store, {
      read: () => readVisible(store, key, "services", serviceId),
      decide: (service) => {
        if (service.value.state.kind === "deleted") throw new Problem("service_deleted", "The service was deleted.");
        const now = clock.now();
        const id = newId(now);
        const secret = newWebhookSecret(secrets, id);
        const webhook: Webhook = {
          id,
          teamId: service.value.teamId,
          serviceId,
          creatorId: key.userId,
          createdAt: now,
          name: requested.name,
          url: requested.url,
          types: requested.types,
          state: { kind: "enabled" },
          secrets: [{ sealed: secret.sealed, endsAt: null }],
        };
        const changes = [create("webhooks", webhook), unchanged("services", service), ...remember(webhook)];
        return { changes, result: { webhook, secret: secret.text } };
      },
    });
    return result;
  } finally {
    give();
  }
}
