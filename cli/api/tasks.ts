import type { Batch } from "elastic-client/records/records.ts";
import { createBatch as createMany, type NewBatch } from "elastic-client/tasks/create-batch.ts";
import { createTask as createOne, type InputSource } from "elastic-client/tasks/create-task.ts";
import { getTask as getOne } from "elastic-client/tasks/get-task.ts";
import type { Caller } from "./caller.ts";
import { call, explained } from "./client.ts";
import type { CancelledTasks, TaskPage, TaskRecord } from "./records.ts";

const PAGE_SIZE = 100;
/** What one request cancels. */
export const CANCEL_MAX = 1_000;

export interface NewTask {
  readonly input: InputSource;
  readonly priority: number | undefined;
  readonly idempotencyKey: string | undefined;
}

/** Waits up to five minutes for the response. Sent once: only with an `idempotencyKey` is it safe to repeat. */
export async function createTask(caller: Caller, serviceId: string, task: NewTask): Promise<TaskRecord> {
  const { signal } = caller;
  return await explained(caller, (connection) => createOne(connection, serviceId, { ...task, signal }));
}

/** All of them or none. Only with an `idempotencyKey` is it safe to repeat. */
export async function createBatch(caller: Caller, serviceId: string, batch: NewBatch): Promise<Batch> {
  const { signal } = caller;
  return await explained(caller, (connection) => createMany(connection, serviceId, { ...batch, signal }));
}

/** As it is, or as soon as it has ended within so many seconds. */
export async function getTask(caller: Caller, taskId: string, waitS = 0): Promise<TaskRecord> {
  const { signal } = caller;
  return await explained(caller, (connection) => getOne(connection, taskId, { waitS, signal }));
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
