/** Creates many tasks of one service in one request: all of them or none. */
import { call } from "../http/call.ts";
import type { Connection } from "../http/connection.ts";
import type { Batch } from "../records/records.ts";

/** Long enough for a body at its limit over a slow line. */
const CREATE_TIMEOUT_MS = 600_000;

/** What the service takes in one request. */
export const BATCH_INPUTS_MAX = 1_000;
export const BATCH_BYTES_MAX: number = 64 * 1024 * 1024;

export interface NewBatch {
  /** JSON texts, each of which goes into the body as it is. */
  readonly inputs: readonly Uint8Array[];
  /** Of every task: from -10 to 10; each step is worth five minutes of waiting. */
  readonly priority?: number | undefined;
  /** The same key and inputs make one batch. Without a key a request whose response is lost is not repeated. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Durable as a whole when it resolves; while its state is CREATING the last of its tasks follow within seconds. */
export async function createBatch(
  connection: Connection,
  serviceId: string,
  { idempotencyKey, signal, ...batch }: NewBatch,
): Promise<Batch> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}/batch`;
  const headers: Record<string, string> = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
  const timeoutMs = CREATE_TIMEOUT_MS;
  return (await call(connection, { method: "POST", path, headers, body: bodyOf(batch), timeoutMs, signal })) as Batch;
}

function bodyOf({ inputs, priority }: Pick<NewBatch, "inputs" | "priority">): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const begin = encoder.encode(`{${priority === undefined ? "" : `"priority":${priority},`}"inputs":[`);
  const end = encoder.encode("]}");
  const between = Math.max(0, inputs.length - 1);
  const length = inputs.reduce((sum, { byteLength }) => sum + byteLength, begin.length + between + end.length);
  const body = new Uint8Array(length);
  body.set(begin);
  let at = begin.length;
  for (const [index, input] of inputs.entries()) {
    if (index > 0) body[at++] = 0x2c;
    body.set(input, at);
    at += input.byteLength;
  }
  body.set(end, at);
  return body;
}
