/** Callers that create tasks one after the other, read them to their ends and cancel some, with every call on record. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { CallLine, SeenTask } from "../../checker/history-line.ts";
import type { TaskRecord } from "../../cluster/api-client.ts";
import { createOutcome } from "../../cluster/checker/create-outcome.ts";
import type { HistoryFile } from "../../cluster/checker/history-file.ts";

const CALLERS = 96;
const WAIT_SECONDS = 4;
const CALL_TIMEOUT_MS = 9_000;
/** Before the next call, after one that was rejected or got no response. */
const PAUSE_MS = 250;
/** One task in so many is cancelled, and one is read once more at the other coordinator. */
const CANCELLED_OF = 50;
const READ_AGAIN_OF = 20;

export interface Load {
  /** Resolves once `tasks` more are acknowledged and each has ended. */
  run(tasks: number): Promise<void>;
  acknowledged(): number;
}

export interface LoadOptions {
  /** Of the coordinators. */
  readonly urls: readonly string[];
  readonly key: string;
  readonly serviceId: string;
  readonly history: HistoryFile;
  readonly signal: AbortSignal;
}

type Record = Pick<TaskRecord, "task_id" | "state" | "phase" | "result" | "created" | "started" | "finished">;
type Call = Pick<CallLine, "f" | "task_id" | "input_sha256"> & { readonly path: string; readonly body?: string };

export function prepareLoad({ urls, key, serviceId, history, signal }: LoadOptions): Load {
  let calls = 0;
  let inputs = 0;
  let acknowledged = 0;

  /** The task that the response shows; null where it shows none, or there is no response. */
  const call = async (process: string, at: number, { path, body, ...line }: Call): Promise<Record | null> => {
    calls += 1;
    const of = { kind: "call", process, call: calls, ...line } as const;
    history.write({ ...of, type: "invoke", at: performance.now() });
    try {
      const response = await fetch(`${urls[at % urls.length]}${path}`, {
        method: line.f === "get" ? "GET" : "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      const text = await response.text();
      // That it is not found is a response, and a wrong one.
      if (response.status === 404 && line.f !== "create") {
        history.write({ ...of, type: "ok", at: performance.now(), task: null });
        return null;
      }
      if (line.f === "create" && createOutcome(response.status) === "fail") {
        history.write({ ...of, type: "fail", at: performance.now(), error: `status ${response.status}` });
        await delay(PAUSE_MS);
        return null;
      }
      if (response.status >= 300) throw new Error(`${response.status} ${text.slice(0, 200)}`);
      const task = JSON.parse(text) as Record;
      history.write({ ...of, type: "ok", at: performance.now(), task_id: task.task_id, task: seen(task) });
      return task;
    } catch (error) {
      history.write({ ...of, type: "info", at: performance.now(), error: String(error).slice(0, 200) });
      await delay(PAUSE_MS);
      return null;
    }
  };

  /** False where the create was not acknowledged. */
  const one = async (process: string): Promise<boolean> => {
    inputs += 1;
    const n = inputs;
    const input = `{"n":${n}}`;
    const isCancelled = n % CANCELLED_OF === 0;
    const wait = isCancelled ? "" : `?wait=${WAIT_SECONDS}`;
    const path = `/v1/services/${serviceId}${wait}`;
    let task = await call(process, n, { f: "create", input_sha256: sha256(input), path, body: `{"input":${input}}` });
    if (task === null) return false;
    acknowledged += 1;
    const { task_id } = task;
    if (isCancelled) {
      task = await call(process, n + 1, { f: "cancel", task_id, path: `/v1/tasks/${task_id}/cancel`, body: "{}" });
    }
    for (let at = n; task === null || task.state === "PENDING"; at += 1) {
      signal.throwIfAborted();
      task = await call(process, at, { f: "get", task_id, path: `/v1/tasks/${task_id}?wait=${WAIT_SECONDS}` });
    }
    if (n % READ_AGAIN_OF === 0)
      await call(`${process} again`, n + 1, { f: "get", task_id, path: `/v1/tasks/${task_id}` });
    return true;
  };

  return {
    async run(tasks) {
      let left = tasks;
      const caller = async (_: unknown, index: number): Promise<void> => {
        while (left > 0) {
          signal.throwIfAborted();
          left -= 1;
          if (!(await one(`caller ${index}`))) left += 1;
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
    },
    acknowledged: () => acknowledged,
  };
}

function seen({ state, phase, result, created, started, finished }: Record): SeenTask {
  const ended =
    result === null ? { result_sha256: null } : { result_sha256: sha256(result), result_made: madeAt(result) };
  return { state, phase, ...ended, created, started, finished } as SeenTask;
}

/** The prover `clock` returns when it was called, in microseconds: a result that an earlier attempt made shows by it. */
function madeAt(result: string): number {
  return Number(result) / 1000;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
