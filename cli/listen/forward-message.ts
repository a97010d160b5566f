/** Posts a message as a webhook does, signed now, and says what came of it. */
import { signWebhook } from "elastic-client/webhook/verify-webhook.ts";
import { whyUnreachable } from "../api/unreachable.ts";
import type { WebhookMessage } from "./webhook-message.ts";

/** As a webhook's. */
const TIMEOUT_MS = 20_000;

export interface Receiver {
  readonly url: string;
  /** `whsec_…` */
  readonly secret: string;
}

export interface Forwarded {
  readonly status: number | null;
  /** Why there was no response. */
  readonly error: string | null;
  readonly durationMs: number;
}

/** Rejects with the signal's reason alone. */
export async function forwardMessage(
  { url, secret }: Receiver,
  { id, headers, body }: WebhookMessage,
  signal: AbortSignal,
): Promise<Forwarded> {
  const signed = await signWebhook(body, { id, timestampMs: Date.now(), secret });
  const startedAt = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, ...signed },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    await response.body?.cancel();
    return { status: response.status, error: null, durationMs: durationMs() };
  } catch (error) {
    signal.throwIfAborted();
    const why = timeout.aborted ? `no response within ${TIMEOUT_MS / 1000} s` : whyUnreachable(error);
    return { status: null, error: why, durationMs: durationMs() };
  }
}
