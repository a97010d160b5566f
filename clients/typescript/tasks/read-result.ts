/** The result of a task that succeeded, however large it is. */
import { exchange } from "../http/call.ts";
import type { Connection } from "../http/connection.ts";
import { readResultBytes } from "../http/read-response.ts";
import type { Task } from "../records/records.ts";

const RESULT_BYTES_MAX = 1024 * 1024 * 1024;
/** A gibibyte over a slow line. */
const RESULT_TIMEOUT_MS = 2 * 3_600_000;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The text in the record, or where it is too long for that, and in lists and webhooks, fetched. */
export async function readResult(
  connection: Connection,
  { task_id: taskId, result }: Pick<Task, "task_id" | "result">,
  { signal }: ReadOptions = {},
): Promise<string> {
  if (result !== null) return result;
  const path = `/v1/tasks/${encodeURIComponent(taskId)}/result`;
  const headers = { accept: "text/plain, application/problem+json" };
  const request = { method: "GET", path, headers, timeoutMs: RESULT_TIMEOUT_MS, signal } as const;
  const bytes = await exchange(connection, request, (response) => readResultBytes(response, RESULT_BYTES_MAX));
  return new TextDecoder().decode(bytes);
}
