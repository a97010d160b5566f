/** Creates a task from an input that is where its creation finds it. */
import { call } from "../http/call.ts";
import type { Connection } from "../http/connection.ts";
import type { Task } from "../records/records.ts";

/** Long enough for an input at its limit over a slow line, or for the service to fetch one. */
const CREATE_TIMEOUT_MS = 300_000;

export type InputSource =
  /** JSON text, which goes into the body as it is. */
  | { readonly kind: "inline"; readonly bytes: Uint8Array }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "uploaded"; readonly uploadId: string };

export interface NewTask {
  readonly input: InputSource;
  /** From -10 to 10; each step is worth five minutes of waiting. */
  readonly priority?: number | undefined;
  /** The same key and input make one task. Without a key a request whose response is lost is not repeated. */
  readonly idempotencyKey?: string | undefined;
  /** Respond once the task has ended, or after so many seconds. */
  readonly waitS?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function createTask(
  connection: Connection,
  serviceId: string,
  { idempotencyKey, waitS = 0, signal, ...task }: NewTask,
): Promise<Task> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}${waitS === 0 ? "" : `?wait=${waitS}`}`;
  const headers: Record<string, string> = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
  const timeoutMs = CREATE_TIMEOUT_MS + waitS * 1000;
  return (await call(connection, { method: "POST", path, headers, body: bodyOf(task), timeoutMs, signal })) as Task;
}

function bodyOf({ input, priority }: Pick<NewTask, "input" | "priority">): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const source = {
    ...(input.kind === "url" ? { input_url: input.url } : {}),
    ...(input.kind === "uploaded" ? { input_upload_id: input.uploadId } : {}),
    ...(priority === undefined ? {} : { priority }),
  };
  const others = JSON.stringify(source).slice(1);
  if (input.kind !== "inline") return encoder.encode(`{${others}`);
  const begin = encoder.encode('{"input":');
  const end = encoder.encode(others === "}" ? "}" : `,${others}`);
  const body = new Uint8Array(begin.length + input.bytes.length + end.length);
  body.set(begin);
  body.set(input.bytes, begin.length);
  body.set(end, begin.length + input.bytes.length);
  return body;
}
