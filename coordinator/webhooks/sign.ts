/** What goes with a delivery by Standard Webhooks 1.0: its id, when it was sent, and a signature by each live secret. */
import { createHmac } from "node:crypto";

export interface SignedHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/** `keys` are the bytes behind `whsec_`. The time is that of the try, so that a receiver can refuse old copies. */
export function signDelivery(id: string, nowMs: number, body: string, keys: readonly Buffer[]): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
