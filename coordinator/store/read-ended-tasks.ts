/** Many ended tasks with their bytes, in one request: for moving them out of the store. */
import type { Logger } from "@elastic/std/log.ts";
import { isTerminal, type Task } from "../domain/task.ts";
import type { Versioned } from "../domain/versioned.ts";
import { readRecord } from "./codec.ts";
import { inputKey, recordKey, resultKey } from "./keys.ts";
import type { Entry, Kv } from "./kv.ts";

export interface StoredTask {
  readonly read: Versioned<Task>;
  /** Null when it is a blob. */
  readonly input: Buffer | null;
  readonly result: Buffer | null;
}

/** Three keys each; etcd takes 128 in a request. */
export const READ_TASKS_MAX = 40;

/** Those that are there and have ended. A record that cannot be read is named in the log and left where it is. */
export async function readEndedTasks(kv: Pick<Kv, "read">, ids: readonly string[], log: Logger): Promise<StoredTask[]> {
  if (ids.length === 0) return [];
  const keys = ids.flatMap((id) => [recordKey("tasks", id), inputKey(id), resultKey(id)]);
  const { entries } = await kv.read(keys);
  return ids.flatMap((id, index) => {
    const [record = null, input = null, result = null] = entries.slice(3 * index, 3 * index + 3);
    try {
      return record === null ? [] : endedTask(id, record, input, result);
    } catch (error) {
      log.error({ err: error, taskId: id }, "a task cannot be read and stays in the store");
      return [];
    }
  });
}

function endedTask(id: string, record: Entry, input: Entry | null, result: Entry | null): StoredTask[] {
  const value = readRecord("tasks", id, record.value) as Task;
  if (!isTerminal(value.phase)) return [];
  return [{ read: { value, revision: record.revision }, input: input?.value ?? null, result: result?.value ?? null }];
}
