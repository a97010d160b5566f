import { type Caller, call } from "./client.ts";
import type { TaskRecord } from "./records.ts";

/** Long enough for an input at its limit over a slow line. */
const CREATE_TIMEOUT_MS = 300_000;
const TASK_TIMEOUT_MS = 120_000;

/** Creates a task. The input's bytes go into the body as they are. */
export async function createTask(caller: Caller, serviceId: string, input: Uint8Array): Promise<TaskRecord> {
  const body = Buffer.concat([Buffer.from('{"input":'), input, Buffer.from("}")]);
  const path = `/v1/services/${encodeURIComponent(serviceId)}`;
  return (await call(caller, { method: "POST", path, body, timeoutMs: CREATE_TIMEOUT_MS })) as TaskRecord;
}

export async function getTask(caller: Caller, taskId: string): Promise<TaskRecord> {
  const path = `/v1/tasks/${encodeURIComponent(taskId)}`;
  return (await call(caller, { method: "GET", path, timeoutMs: TASK_TIMEOUT_MS })) as TaskRecord;
}
