/** One try of one delivery: the message is built and signed now, sent, and the status of the answer is all that counts. */
import type { Delivery, Tried } from "../domain/delivery.ts";
import type { Webhook } from "../domain/webhook.ts";
import type { EgressResponse } from "../egress/egress.ts";
import { EgressError } from "../egress/egress-error.ts";
import { openWebhookSecrets } from "../secrets/webhook-secrets.ts";
import { messageOf } from "./message.ts";
import { readRetryAfter } from "./retry-after.ts";
import { signDelivery } from "./sign.ts";
import type { WebhookContext } from "./webhook-context.ts";

const TIMEOUT_MS = 20_000;
/** Of an answer that nobody looks at; it is read so that the receiver is not cut off while it writes. */
const ANSWER_BYTES_MAX = 64 * 1024;

/** Null when what it tells of is gone. Rejects where it could not be tried: then it has not been. */
export async function tryDelivery(
  context: Pick<WebhookContext, "secrets" | "egress" | "describe" | "clock">,
  delivery: Delivery,
  webhook: Webhook,
  signal: AbortSignal,
): Promise<Tried | null> {
  const { clock, secrets } = context;
  const body = await messageOf(delivery, context.describe);
  if (body === null) return null;
  const at = clock.now();
  const startMs = clock.monotonicMs();
  const headers = {
    "content-type": "application/json",
    "user-agent": "elastic-webhooks",
    ...signDelivery(delivery.id, at, body, openWebhookSecrets(secrets, webhook, at)),
  };
  const answer = await post(context, webhook.url, headers, body, signal);
  return { at, ms: Math.round(clock.monotonicMs() - startMs), ...answer };
}

async function post(
  { egress, clock }: Pick<WebhookContext, "egress" | "clock">,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Pick<Tried, "status" | "error" | "retryAfterMs">> {
  try {
    const limits = { timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX };
    const response = await egress.request(url, { method: "POST", headers, body, signal, ...limits });
    await readToItsEnd(response);
    const retryAfterMs = readRetryAfter(response.headers["retry-after"], clock.now());
    return { status: response.status, error: null, retryAfterMs };
  } catch (error) {
    if (error instanceof EgressError) return { status: error.status, error: error.code, retryAfterMs: null };
    throw error;
  }
}

/** The answer's head has said what there is to know: what goes wrong behind it changes nothing. */
async function readToItsEnd({ body }: EgressResponse): Promise<void> {
  try {
    for await (const _chunk of body);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
  }
}
