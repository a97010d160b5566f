import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type { CancelledTasks, NewTaskOptions, TaskPage, TaskRecord } from "./records.ts";

/** Long enough for an input at its limit over a slow line, or for the service to fetch one. */
const CREATE_TIMEOUT_MS = 300_000;
const TASK_TIMEOUT_MS = 120_000;
const PAGE_SIZE = 100;
/** What one request cancels. */
export const CANCEL_MAX = 1_000;

export interface NewTask {
  /** JSON text; its bytes go into the body as they are. Null where an option names the input. */
  readonly input: Uint8Array | null;
  readonly options: NewTaskOptions;
  readonly idempotencyKey: string | undefined;
}

/** Waits up to five minutes for the response. Sent once: only with an `idempotencyKey` is it safe to repeat. */
export async function createTask(caller: Caller, serviceId: string, task: NewTask): Promise<TaskRecord> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}`;
  const headers = task.idempotencyKey === undefined ? {} : { "idempotency-key": task.idempotencyKey };
  const request = { method: "POST", path, body: bodyOf(task), headers, timeoutMs: CREATE_TIMEOUT_MS } as const;
  return (await call(caller, request)) as TaskRecord;
}

function bodyOf({ input, options }: NewTask): Uint8Array<ArrayBuffer> {
  const others = JSON.stringify(options).slice(1, -1);
  if (input === null) return Buffer.from(`{${others}}`);
  return Buffer.concat([Buffer.from('{"input":'), input, Buffer.from(others === "" ? "}" : `,${others}}`)]);
}

/** As it is, or as soon as it has ended within so many seconds. */
export async function getTask(caller: Caller, taskId: string, waitS = 0): Promise<TaskRecord> {
  const path = `/v1/tasks/${encodeURIComponent(taskId)}${waitS === 0 ? "" : `?wait=${waitS}`}`;
  return (await call(caller, { method: "GET", path, timeoutMs: TASK_TIMEOUT_MS })) as TaskRecord;
}

export interface TaskFilter {
  readonly service_id?: string;
  readonly state?: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly created_after?: string;
  readonly created_before?: string;
}

/** The newest tasks of the active team, at most so many, and how many there are in all. */
export async function listTasks(
  caller: Caller,
  filter: TaskFilter,
  limit: number,
): Promise<{ readonly items: readonly TaskRecord[]; readonly total: number }> {
  const items: TaskRecord[] = [];
  for (let cursor: string | null = null; ; ) {
    const size = Math.min(PAGE_SIZE, limit - items.length);
    const query = new URLSearchParams({ ...filter, size: String(size), ...(cursor === null ? {} : { cursor }) });
    const page = (await call(caller, { method: "GET", path: `/v1/tasks?${query}` })) as TaskPage;
    items.push(...page.items);
    cursor = page.next_cursor;
    if (cursor === null || items.length >= limit) return { items, total: page.total };
  }
}

/**
 * At most 1,000 tasks a request ({@link CANCEL_MAX}); of a service `remaining` says how many are still open. Repeating
 * it is harmless.
 */
export async function cancelTasks(
  caller: Caller,
  which: { readonly task_ids: readonly string[] } | { readonly service_id: string },
): Promise<CancelledTasks> {
  const body = JSON.stringify(which);
  return (await call(caller, { method: "POST", path: "/v1/tasks/cancel", body })) as CancelledTasks;
}
