/**
 * A driver at a URL: each call is one POST, signed by Standard Webhooks 1.0 as deliveries are. The id of the message is that of
 * the request, so that a receiver that remembers ids does a repeated call once.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Pool } from "../../domain/pool.ts";
import type { Egress, EgressResponse } from "../../egress/egress.ts";
import { EgressError } from "../../egress/egress-error.ts";
import { openPoolSecret } from "../../secrets/pool-secret.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { signDelivery } from "../../webhooks/sign.ts";
import { type CallDriver, DRIVER_TIMEOUT_MS, DriverError, RESPONSE_BYTES_MAX, readResponse } from "./driver-order.ts";

export interface WebhookDriverOptions {
  readonly egress: Pick<Egress, "request">;
  readonly secrets: Pick<Secrets, "open">;
  readonly clock: Pick<Clock, "now">;
  /** The usual one where it is left out. */
  readonly timeoutMs?: number;
}

export function webhookDriver({ egress, secrets, clock, timeoutMs }: WebhookDriverOptions): CallDriver {
  return async (pool, { call, id, body }, signal) => {
    const { url, secret } = webhookOf(pool);
    const key = openPoolSecret(secrets, pool.id, secret);
    const headers = { "content-type": "application/json", ...signDelivery(`${id}.${call}`, clock.now(), body, [key]) };
    const limits = { timeoutMs: timeoutMs ?? DRIVER_TIMEOUT_MS, bytesMax: RESPONSE_BYTES_MAX };
    try {
      const response = await egress.request(url, { method: "POST", headers, body, signal, ...limits });
      const text = await textOf(response);
      if (response.status < 200 || response.status > 299) {
        throw new DriverError(`it responded with ${response.status}: ${text.slice(0, 200).toWellFormed()}`);
      }
      return readResponse(call, text);
    } catch (error) {
      if (error instanceof EgressError)
        throw new DriverError(`it could not be called: ${error.code}`, { cause: error });
      throw error;
    }
  };
}

function webhookOf({ id, driver }: Pool) {
  if (driver.kind !== "webhook") throw new Error(`the driver of pool ${id} is no webhook`);
  return driver;
}

async function textOf({ body }: EgressResponse): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
