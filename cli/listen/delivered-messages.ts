/** The messages of a service that has webhooks: those that are posted to them, byte for byte. */
import type { Caller } from "../api/caller.ts";
import type { DeliveryWithRequest, WebhookRecord } from "../api/records.ts";
import { getDelivery, listDeliveries, listWebhooks } from "../api/webhooks.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { Recent } from "./recent.ts";
import type { MessageSource, WebhookMessage } from "./webhook-message.ts";

const PAGE_SIZE = 100;

/** Of deliveries that are created from now on. An event that several webhooks receive is one message. */
export async function deliveredMessages(
  caller: Caller,
  serviceId: string,
  webhooks: readonly WebhookRecord[],
): Promise<MessageSource> {
  // Ids begin with the time.
  const since = (await newDeliveryIds(caller, webhooks, null))[0] ?? "";
  const idByEvent = new Recent<string>();
  const messageOf = async (id: string): Promise<WebhookMessage | null> => {
    if (id <= since) return null;
    const delivery = await getDelivery(caller, id).catch(goneIsNull);
    if (delivery === null) return null;
    const event = eventOf(delivery);
    if ((idByEvent.get(event) ?? id) !== id) return null;
    idByEvent.set(event, id);
    return toMessage(delivery);
  };
  return {
    async catchUp() {
      const current = await listWebhooks(caller, serviceId);
      const messages: WebhookMessage[] = [];
      for (const id of (await newDeliveryIds(caller, current, since)).toReversed()) {
        const message = await messageOf(id);
        if (message !== null) messages.push(message);
      }
      return messages;
    },
    onChange: async ({ kind, id, service_id: of }) =>
      kind === "delivery" && id !== null && of === serviceId ? await messageOf(id) : null,
    isUnnamed: ({ kind, id }) => kind === "delivery" && id === null,
  };
}

/** The newest first: those after `since`, or the newest one of each webhook where it is null. */
async function newDeliveryIds(
  caller: Caller,
  webhooks: readonly WebhookRecord[],
  since: string | null,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { webhook_id: webhookId } of webhooks) {
    for (let page = 1; ; page += 1) {
      const size = since === null ? 1 : PAGE_SIZE;
      const { items, pages } = await listDeliveries(caller, webhookId, { state: undefined, page, size });
      const found = items.map(({ delivery_id: id }) => id).filter((id) => id > (since ?? ""));
      ids.push(...found);
      if (since === null || found.length < items.length || page >= pages) break;
    }
  }
  return ids.toSorted().toReversed();
}

/** Tests are sent on request, each to one webhook: two are two events. */
function eventOf({ delivery_id: id, type, task_id, deployment_id, build_id }: DeliveryWithRequest): string {
  return `${type} ${task_id ?? deployment_id ?? build_id ?? id}`;
}

/** Null where what it is about is gone, and for a key that may not read it. */
function toMessage(delivery: DeliveryWithRequest): WebhookMessage | null {
  const { delivery_id: id, type, task_id, deployment_id, build_id, webhook_id, request } = delivery;
  if (request === null) return null;
  const { headers, body } = request;
  return { id, type, subjectId: task_id ?? deployment_id ?? build_id ?? webhook_id, headers, body };
}

/** It went with its webhook. */
function goneIsNull(error: unknown): null {
  if (error instanceof CliError && error.exitCode === EXIT.notFound) return null;
  throw error;
}
