import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type {
  DeliveryPage,
  DeliveryRecord,
  DeliveryState,
  DeliveryWithRequest,
  NewWebhook,
  WebhookChange,
  WebhookPage,
  WebhookRecord,
  WebhookWithSecret,
} from "./records.ts";

/** More than a service may have. */
const WEBHOOKS_SIZE = 100;

export async function createWebhook(
  caller: Caller,
  serviceId: string,
  webhook: NewWebhook,
): Promise<WebhookWithSecret> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}/webhooks`;
  return (await call(caller, { method: "POST", path, body: JSON.stringify(webhook) })) as WebhookWithSecret;
}

export async function listWebhooks(caller: Caller, serviceId: string): Promise<readonly WebhookRecord[]> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}/webhooks?size=${WEBHOOKS_SIZE}`;
  return ((await call(caller, { method: "GET", path })) as WebhookPage).items;
}

export async function getWebhook(caller: Caller, id: string): Promise<WebhookRecord> {
  return (await call(caller, { method: "GET", path: webhookPath(id) })) as WebhookRecord;
}

export async function changeWebhook(caller: Caller, id: string, change: WebhookChange): Promise<WebhookRecord> {
  const body = JSON.stringify(change);
  return (await call(caller, { method: "PATCH", path: webhookPath(id), body })) as WebhookRecord;
}

export async function deleteWebhook(caller: Caller, id: string): Promise<void> {
  await call(caller, { method: "DELETE", path: webhookPath(id) });
}

export async function rotateWebhookSecret(caller: Caller, id: string): Promise<WebhookWithSecret> {
  return (await call(caller, { method: "POST", path: `${webhookPath(id)}/rotate-secret` })) as WebhookWithSecret;
}

export async function testWebhook(caller: Caller, id: string): Promise<DeliveryRecord> {
  return (await call(caller, { method: "POST", path: `${webhookPath(id)}/test` })) as DeliveryRecord;
}

export async function listDeliveries(
  caller: Caller,
  id: string,
  { state, page, size }: { readonly state: DeliveryState | undefined; readonly page: number; readonly size: number },
): Promise<DeliveryPage> {
  const query = `page=${page}&size=${size}${state === undefined ? "" : `&state=${state}`}`;
  return (await call(caller, { method: "GET", path: `${webhookPath(id)}/deliveries?${query}` })) as DeliveryPage;
}

/** With what is posted. */
export async function getDelivery(caller: Caller, id: string): Promise<DeliveryWithRequest> {
  return (await call(caller, { method: "GET", path: deliveryPath(id) })) as DeliveryWithRequest;
}

export async function redeliver(caller: Caller, id: string): Promise<DeliveryRecord> {
  return (await call(caller, { method: "POST", path: `${deliveryPath(id)}/redeliver` })) as DeliveryRecord;
}

function webhookPath(id: string): string {
  return `/v1/webhooks/${encodeURIComponent(id)}`;
}

function deliveryPath(id: string): string {
  return `/v1/deliveries/${encodeURIComponent(id)}`;
}
