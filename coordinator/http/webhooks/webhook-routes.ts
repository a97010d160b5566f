/** The endpoints of webhooks and their deliveries. */
import type { CallerDeps } from "../access/caller.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { EgressDeps } from "../deps/egress-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { changeWebhook } from "./change-webhook.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { getDelivery } from "./get-delivery.ts";
import { getWebhook } from "./get-webhook.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listWebhooks } from "./list-webhooks.ts";
import { redeliverDelivery } from "./redeliver-delivery.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { testWebhook } from "./test-webhook.ts";

export function webhookRoutes(
  app: App,
  deps: CallerDeps & RecordDeps & QuotaDeps & BlobDeps & EgressDeps & SecretDeps,
): void {
  createWebhook(app, deps);
  listWebhooks(app, deps);
  getWebhook(app, deps);
  changeWebhook(app, deps);
  deleteWebhook(app, deps);
  rotateWebhookSecret(app, deps);
  testWebhook(app, deps);
  listDeliveries(app, deps);
  getDelivery(app, deps);
  redeliverDelivery(app, deps);
}
