/** A service whose tasks are delivered to receivers of the test, and what they received. */
import {
  type Received,
  type Receiver,
  type Script,
  startReceiver,
} from "@elastic/coordinator/egress/testing/receiver.ts";
import { Webhook as Verifier } from "standardwebhooks";
import type { ApiClient } from "../cluster/api-client.ts";

/** Receivers of a test listen on this machine, which is no public address. */
export const ALLOW_RECEIVERS = { ELASTIC_EGRESS_ALLOW: "127.0.0.0/8" };

/** A delivery that a receiver got, its signature verified with its secret. */
interface Delivered {
  readonly id: string;
  readonly type: string;
  readonly taskId: string;
  readonly state: string;
  readonly result: string | null;
  /** From the end of the task to its arrival. */
  readonly lateMs: number;
}

export interface RecordingReceiver extends AsyncDisposable {
  readonly webhookId: string;
  /** Throws for what the public verifier does not take. */
  received(): readonly Delivered[];
}

export async function receiverOf(client: ApiClient, serviceId: string, script: Script): Promise<RecordingReceiver> {
  const arrivals: { readonly got: Received; readonly at: number }[] = [];
  const receiver: Receiver = await startReceiver((got, response) => {
    arrivals.push({ got, at: Date.now() });
    script(got, response);
  });
  const body = JSON.stringify({ name: "receiver", url: receiver.url });
  const headers = { "content-type": "application/json" };
  const made = await client.call(`/v1/services/${serviceId}/webhooks`, { method: "POST", body, headers });
  if (made.status !== 201) throw new Error(`no webhook: ${made.status} ${made.text}`);
  const { webhook_id: webhookId, secret } = made.json as { readonly webhook_id: string; readonly secret: string };
  const verifier = new Verifier(secret);
  return {
    webhookId,
    received: () => arrivals.map(({ got, at }) => read(verifier, got, at)),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

function read(verifier: Verifier, { headers, body }: Received, at: number): Delivered {
  const { type, timestamp, data } = verifier.verify(body.toString(), headers as Record<string, string>) as {
    readonly type: string;
    readonly timestamp: string;
    readonly data: { readonly task_id: string; readonly state: string; readonly result: string | null };
  };
  const { task_id: taskId, state, result } = data;
  return { id: String(headers["webhook-id"]), type, taskId, state, result, lateMs: at - Date.parse(timestamp) };
}
