/** Whether a request came from the service's webhook, and what it says. */
import type { WebhookEvent } from "./webhook-event.ts";
import { isSignature, type Signed, signatureOf } from "./webhook-signature.ts";
import { WebhookVerificationError } from "./webhook-verification-error.ts";

const TOLERANCE_S = 300;

/** As Node, or anything with a `Headers`, has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of the request may be from now: 0 or more. */
  readonly toleranceSeconds?: number;
  readonly nowMs?: number;
}

/**
 * The event, once a signature by one of the secrets is found. `body` is what was received, byte for byte: parsed and
 * written again it has other bytes. Rejects with a WebhookVerificationError, or with a TypeError where the arguments are
 * such that nothing could be verified.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_S, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  // Compared with NaN, no request is too old.
  if (!(typeof toleranceSeconds === "number" && toleranceSeconds >= 0)) {
    throw new TypeError("toleranceSeconds is not a number from 0");
  }
  if (!Number.isFinite(nowMs)) throw new TypeError("nowMs is not a time in milliseconds");
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    header(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError("header_missing");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  checkTime(timestamp, nowMs / 1000, toleranceSeconds);
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!(await isSigned({ id, timestamp, body: bytes }, signatures, secrets))) {
    throw new WebhookVerificationError("signature_invalid");
  }
  return eventOf(id, bytes);
}

/** What the service sends with a body: for tests of a receiver. */
export async function signWebhook(
  body: string | Uint8Array,
  { id, timestampMs, secret }: { readonly id: string; readonly timestampMs: number; readonly secret: string },
): Promise<Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>>> {
  const timestamp = String(Math.floor(timestampMs / 1000));
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signature = await signatureOf(secret, { id, timestamp, body: bytes });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

function checkTime(timestamp: string, nowS: number, toleranceS: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError("timestamp_invalid");
  const ageS = nowS - Number(timestamp);
  if (ageS > toleranceS) throw new WebhookVerificationError("timestamp_too_old");
  if (ageS < -toleranceS) throw new WebhookVerificationError("timestamp_too_new");
}

async function isSigned(signed: Signed, signatures: string, secrets: readonly string[]): Promise<boolean> {
  for (const signature of signatures.split(" ")) {
    if (!signature.startsWith("v1,")) continue;
    for (const secret of secrets) {
      if (await isSignature(secret, signed, signature.slice("v1,".length))) return true;
    }
  }
  return false;
}

function eventOf(id: string, body: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    // The id that is signed is the header's, whatever the body has.
    if (isEvent(event)) return { ...event, id } as WebhookEvent;
  } catch {
    // As any body that is none.
  }
  throw new WebhookVerificationError("body_invalid");
}

function isEvent(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const { type, timestamp, data } = value as Readonly<Record<string, unknown>>;
  return typeof type === "string" && typeof timestamp === "string" && typeof data === "object" && data !== null;
}

function header(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : (found?.join(" ") ?? null);
}
