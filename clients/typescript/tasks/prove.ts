/** From an input to a proof: one task, created once and waited for. */

import { call } from "../http/call.ts";
import type { Connection } from "../http/connection.ts";
import type { Task } from "../records/records.ts";
import { type AwaitOptions, awaitTask, LONG_POLL_S } from "./await-task.ts";
import { createTask, type InputSource } from "./create-task.ts";
import { readResult } from "./read-result.ts";
import { failureOf, TaskFailedError } from "./task-failure.ts";
import { prepareInput, type TaskInput } from "./task-input.ts";
import { uploadInput } from "./upload-input.ts";

export interface ProveOptions extends AwaitOptions {
  /** From -10 to 10; each step is worth five minutes of waiting. */
  readonly priority?: number | undefined;
  /**
   * The same key and input make one task, however often they are sent, for at least 24 hours. By default a new one
   * for each call: then the retries of this call make one task.
   */
  readonly idempotencyKey?: string | undefined;
  /** Whether the task is cancelled once the signal is aborted; else it continues. */
  readonly cancelOnAbort?: boolean | undefined;
}

export interface Proof {
  readonly taskId: string;
  /** What the prover returned: its text, or JSON text. */
  readonly result: string;
  readonly task: Task;
}

/** Rejects with a TaskFailedError where the task ends without a result. */
export async function prove(
  connection: Connection,
  serviceId: string,
  input: TaskInput,
  options: ProveOptions = {},
): Promise<Proof> {
  const { signal, onProgress } = options;
  // What its events show is not to be missed.
  const waitS = onProgress === undefined ? LONG_POLL_S : 0;
  const created = await startTask(connection, serviceId, input, { ...options, waitS });
  const task = created.state === "PENDING" ? await awaitOrCancel(connection, created, options) : created;
  const failure = failureOf(task);
  if (failure !== null) throw new TaskFailedError(task, failure);
  return { taskId: task.task_id, result: await readResult(connection, task, { signal }), task };
}

/** Creates the task, and brings its input to where the creation finds it. */
export async function startTask(
  connection: Connection,
  serviceId: string,
  input: TaskInput,
  options: Omit<ProveOptions, "onProgress" | "cancelOnAbort"> & { readonly waitS?: number },
): Promise<Task> {
  const { signal, priority, waitS, idempotencyKey = crypto.randomUUID() } = options;
  const source = await sourceOf(connection, input, signal);
  return await createTask(connection, serviceId, { input: source, priority, idempotencyKey, waitS, signal });
}

async function sourceOf(
  connection: Connection,
  input: TaskInput,
  signal: AbortSignal | undefined,
): Promise<InputSource> {
  const prepared = prepareInput(input);
  if (prepared.kind !== "upload") return prepared;
  const { upload_id: uploadId } = await uploadInput(connection, prepared.body, { signal });
  return { kind: "uploaded", uploadId };
}

async function awaitOrCancel(connection: Connection, { task_id: id }: Task, options: ProveOptions): Promise<Task> {
  try {
    return await awaitTask(connection, id, options);
  } catch (error) {
    // Whoever aborted it is not kept waiting for the outcome, which may be that the task has ended.
    if (options.signal?.aborted && options.cancelOnAbort) void cancelTask(connection, id).catch(() => undefined);
    throw error;
  }
}

/** Of a task that has ended this changes nothing. */
export async function cancelTask(connection: Connection, taskId: string): Promise<Task> {
  const path = `/v1/tasks/${encodeURIComponent(taskId)}/cancel`;
  return (await call(connection, { method: "POST", path, isRepeatable: true })) as Task;
}
