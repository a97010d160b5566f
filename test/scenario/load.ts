/** Callers that each create a task, follow it to its end and create the next, for as long as a scenario lasts. */
import { setTimeout as delay } from "node:timers/promises";
import type { TaskRecord } from "../cluster/api-client.ts";
import type { RecordingClient } from "../cluster/checker/recording-client.ts";

/** Between two creates of a caller where the first was not accepted. */
const PAUSE_MS = 50;

export interface Load {
  /** Ids of tasks whose ends were seen so far. */
  ended(): readonly string[];
  /** No further task is created; resolves with all that were accepted, once they have ended. */
  stop(withinMs: number): Promise<readonly TaskRecord[]>;
}

export function startLoad(options: {
  readonly callers: number;
  readonly serviceId: string;
  readonly recorder: RecordingClient;
  /** JSON text, evaluated for each task. */
  readonly input: () => string;
}): Load {
  const { serviceId, recorder, input } = options;
  const stopping = new AbortController();
  const giveUp = new AbortController();
  const tasks: TaskRecord[] = [];
  const call = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const taskId = await recorder.create(serviceId, input());
      if (taskId === null) await delay(PAUSE_MS);
      else tasks.push(await recorder.readToEnd(taskId, giveUp.signal));
    }
  };
  const calls = Array.from({ length: options.callers }, call);
  // Awaited by stop(); until then a failure must not end the process.
  for (const one of calls) one.catch(() => undefined);
  return {
    ended: () => tasks.map(({ task_id }) => task_id),
    async stop(withinMs) {
      stopping.abort();
      const timer = setTimeout(() => giveUp.abort(new Error(`tasks did not end within ${withinMs} ms`)), withinMs);
      try {
        await Promise.all(calls);
      } finally {
        clearTimeout(timer);
      }
      return tasks;
    },
  };
}
