/** Many tasks at once against a cluster that is being broken, with everything that clients see on record. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient, TaskRecord } from "../cluster/api-client.ts";
import { violations } from "../cluster/checker/check-history.ts";
import { type ClientHistory, openClientHistory } from "../cluster/checker/client-history.ts";
import { type RecordingClient, recordingClient } from "../cluster/checker/recording-client.ts";
import { readStoreHistory, type StoreEvent } from "../cluster/checker/store-history.ts";
import { writeStoreHistory } from "../cluster/checker/store-lines.ts";
import type { Cluster } from "../cluster/cluster.ts";

/** Long enough that a scenario can break something while most tasks wait, short enough for a test. */
const TASK_MS = 100;
/** Workloads, over all nodes. */
const WORKLOADS = 4;
const RUN_TIMEOUT_MS = 200_000;

export interface Flood {
  /** Creates `count` tasks, each until it is accepted, and follows them to their ends. */
  post(count: number): void;
  /**
   * Resolves once `count` tasks at least are accepted and have not ended; or, where a slow machine ends them faster
   * than it takes them, once all that were posted are accepted and some of them have not ended.
   */
  inFlight(count: number): Promise<void>;
  /** The records of all tasks, once all have ended. */
  ended(): Promise<readonly TaskRecord[]>;
  /** What is wrong with the run, by its histories. */
  violations(): Promise<readonly string[]>;
}

/** Deploys a prover that takes a while, and gets ready to post tasks to it. `client` is evaluated before each call. */
export async function prepareFlood(
  cluster: Cluster,
  client: () => ApiClient = () => cluster.client(),
  timeoutMs: number = RUN_TIMEOUT_MS,
): Promise<Flood> {
  const service = await client().readyService("sleep", {
    image: "builtin:sleep",
    scaling: { min: WORKLOADS, max: WORKLOADS },
  });
  const history: ClientHistory = openClientHistory(join(cluster.folder, `client-history-${service.service_id}.jsonl`));
  const recorder: RecordingClient = recordingClient(client, history);
  const signal = AbortSignal.timeout(timeoutMs);
  const tasks: Promise<TaskRecord>[] = [];
  let accepted = 0;
  let ended = 0;
  const one = async (): Promise<TaskRecord> => {
    const taskId = await recorder.createAccepted(service.service_id, `{"ms":${TASK_MS}}`, signal);
    accepted += 1;
    const task = await recorder.readToEnd(taskId, signal);
    ended += 1;
    return task;
  };
  return {
    post(count) {
      for (let index = 0; index < count; index += 1) {
        const task = one();
        // Awaited by ended(); until then a failure must not end the process.
        task.catch(() => {});
        tasks.push(task);
      }
    },
    async inFlight(count) {
      const areAllAccepted = () => accepted === tasks.length && accepted > ended;
      while (accepted - ended < count && !areAllAccepted()) await delay(2, undefined, { signal });
    },
    ended: () => Promise.all(tasks),
    async violations() {
      const store = ofService(await readStoreHistory(cluster.etcd.endpoint), service.service_id);
      writeStoreHistory(join(cluster.folder, `store-history-${service.service_id}.jsonl`), store);
      return violations({ client: history.events(), store });
    },
  };
}

/** A scenario may post further tasks, on other services. */
function ofService(store: readonly StoreEvent[], serviceId: string): readonly StoreEvent[] {
  const ids = new Set(store.filter(({ task }) => task?.serviceId === serviceId).map(({ taskId }) => taskId));
  return store.filter(({ taskId }) => ids.has(taskId));
}
