/** One attempt of one delivery: the message is built and signed now, and sent; only the status of the response counts. */
import { type BegunSpan, beginWithin } from "@elastic/std/tracing/tracing.ts";
import type { Delivery, Tried } from "../domain/delivery.ts";
import { MESSAGE_HEADERS, messageOf } from "../domain/delivery-message.ts";
import { taskSpan } from "../domain/task-span.ts";
import type { Webhook } from "../domain/webhook.ts";
import type { EgressResponse } from "../egress/egress.ts";
import { EgressError } from "../egress/egress-error.ts";
import { openWebhookSecrets } from "../secrets/webhook-secrets.ts";
import { readRetryAfter } from "./retry-after.ts";
import { signDelivery } from "./sign.ts";
import type { WebhookContext } from "./webhook-context.ts";

const TIMEOUT_MS = 20_000;
/** Of a response, which is read to its end so that the receiver is not cut off while it writes. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** What a person is shown of it. */
const SHOWN_CHARS_MAX = 256;
/** A character takes up to four bytes. */
const SHOWN_BYTES_MAX = 4 * SHOWN_CHARS_MAX;

/** Null when the subject of its event is gone. Rejects where no attempt was made. */
export async function tryDelivery(
  context: Pick<WebhookContext, "secrets" | "egress" | "describe" | "clock" | "metrics">,
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
    ...MESSAGE_HEADERS,
    ...signDelivery(delivery.id, at, body, openWebhookSecrets(secrets, webhook, at)),
  };
  const span = beginSpan(context, delivery);
  const traced = span.traceparent === undefined ? headers : { ...headers, traceparent: span.traceparent };
  const answer = await post(context, webhook.url, traced, body, signal).finally(() => span.end());
  return { at, ms: Math.round(clock.monotonicMs() - startMs), ...answer };
}

function beginSpan({ metrics }: Pick<WebhookContext, "metrics">, delivery: Delivery): BegunSpan {
  const { name, attributes } = taskSpan("webhook", { id: delivery.subjectId, serviceId: delivery.serviceId });
  const all = { ...attributes, "elastic.delivery.id": delivery.id };
  return beginWithin(metrics.tracing, delivery.traceparent, { name, kind: "client", attributes: all });
}

async function post(
  { egress, clock }: Pick<WebhookContext, "egress" | "clock">,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Pick<Tried, "status" | "error" | "answer" | "retryAfterMs">> {
  try {
    const limits = { timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX };
    const response = await egress.request(url, { method: "POST", headers, body, signal, ...limits });
    const answer = await beginOf(response);
    const retryAfterMs = readRetryAfter(response.headers["retry-after"], clock.now());
    return { status: response.status, error: null, answer, retryAfterMs };
  } catch (error) {
    if (error instanceof EgressError) {
      return { status: error.status, error: error.code, answer: null, retryAfterMs: null };
    }
    throw error;
  }
}

/** The first characters of the body; null for an empty one. What goes wrong after the head changes nothing. */
async function beginOf({ body }: EgressResponse): Promise<string | null> {
  let begin = Buffer.alloc(0);
  try {
    for await (const chunk of body) {
      if (begin.length < SHOWN_BYTES_MAX) begin = Buffer.concat([begin, chunk.subarray(0, SHOWN_BYTES_MAX)]);
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
  }
  return begin.length === 0 ? null : begin.toString("utf8").slice(0, SHOWN_CHARS_MAX).toWellFormed();
}
