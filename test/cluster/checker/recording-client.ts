/** A client that creates tasks and reads them while the cluster is being broken, and records every response. */
import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient, TaskRecord } from "../api-client.ts";
import type { ClientHistory } from "./client-history.ts";
import { createOutcome } from "./create-outcome.ts";

/** Time between two calls of one client while the server rejects or does not respond. */
const PAUSE_MS = 50;
const LONG_POLL_SECONDS = 5;
const CALL_TIMEOUT_MS = 10_000;

export interface RecordingClient {
  /** Creates one task. The id, or null when it was rejected or the response was lost; neither is tried again. */
  create(serviceId: string, input: string): Promise<string | null>;
  /** Creates until one is accepted. */
  createAccepted(serviceId: string, input: string, signal: AbortSignal): Promise<string>;
  /** Reads the task until it has ended; the server may be away meanwhile. */
  readToEnd(taskId: string, signal: AbortSignal): Promise<TaskRecord>;
}

/** `client` is evaluated before each call, so that a run may move on to another coordinator. */
export function recordingClient(client: () => ApiClient, history: ClientHistory): RecordingClient {
  let calls = 0;
  const create = async (serviceId: string, input: string): Promise<string | null> => {
    calls += 1;
    const call = calls;
    history.record({ kind: "create-begun", call, atMs: performance.now(), input });
    try {
      const response = await client().call(`/v1/services/${serviceId}`, {
        method: "POST",
        body: `{"input":${input}}`,
        headers: { "content-type": "application/json" },
        timeoutMs: CALL_TIMEOUT_MS,
      });
      const outcome = createOutcome(response.status);
      if (outcome === "info") throw new Error(`status ${response.status}`);
      if (outcome === "fail") {
        history.record({ kind: "create-refused", call, atMs: performance.now(), status: response.status });
        return null;
      }
      const taskId = (response.json as TaskRecord).task_id;
      history.record({ kind: "created", call, atMs: performance.now(), taskId });
      return taskId;
    } catch (error) {
      history.record({ kind: "create-unknown", call, atMs: performance.now(), error: String(error) });
      return null;
    }
  };
  return {
    create,
    async createAccepted(serviceId, input, signal) {
      for (;;) {
        const taskId = await create(serviceId, input);
        if (taskId !== null) return taskId;
        await delay(PAUSE_MS, undefined, { signal });
      }
    },
    async readToEnd(taskId, signal) {
      for (;;) {
        signal.throwIfAborted();
        const calledAtMs = performance.now();
        const task = await read(client(), taskId);
        if (task === null) {
          await delay(PAUSE_MS, undefined, { signal });
          continue;
        }
        history.record({ kind: "seen", calledAtMs, atMs: performance.now(), taskId, ...seen(task) });
        if (task.state !== "PENDING") return task;
      }
    },
  };
}

/** Null when the server could not read it. That a task is not found is a response, and a wrong one. */
async function read(client: ApiClient, taskId: string): Promise<TaskRecord | null> {
  const path = `/v1/tasks/${taskId}?wait=${LONG_POLL_SECONDS}`;
  const response = await client.call(path, { timeoutMs: CALL_TIMEOUT_MS }).catch(() => null);
  if (response?.status === 200) return response.json as TaskRecord;
  if (response?.status === 404) throw new Error(`task ${taskId} was acknowledged and is not found`);
  return null;
}

function seen(task: TaskRecord): Pick<TaskRecord, "state" | "phase" | "result" | "created" | "started" | "finished"> {
  const { state, phase, result, created, started, finished } = task;
  return { state, phase, result, created, started, finished };
}
