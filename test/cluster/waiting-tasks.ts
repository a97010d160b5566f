/** Writes tasks that wait into etcd, as their creations would have, without the coordinators' work for a million requests. */
import { hash } from "node:crypto";
import type { Service } from "@elastic/coordinator/domain/service.ts";
import { queue } from "@elastic/coordinator/domain/task.ts";
import { encodeRecord, readRecord } from "@elastic/coordinator/store/codec.ts";
import { connectEtcd } from "@elastic/coordinator/store/etcd/etcd-kv.ts";
import { inputKey, recordKey } from "@elastic/coordinator/store/keys.ts";
import type { Kv, Put } from "@elastic/coordinator/store/kv.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";

/** Two keys each; etcd takes 128 in a transaction. */
const TASKS_OF_A_COMMIT = 60;
const COMMITS_AT_ONCE = 8;
/** etcd on a busy machine takes longer than a coordinator waits. */
const TRIES_MAX = 10;
const DAY_MS = 86_400_000;
const INPUT = Buffer.from(JSON.stringify("x".repeat(98)));
const INPUT_SHA256 = hash("sha256", INPUT);

/** As many in each of the services, in turns. */
export async function addWaitingTasks(endpoint: string, serviceIds: readonly string[], tasks: number): Promise<void> {
  const kv = connectEtcd({ endpoints: [endpoint], log: createLog({ name: "fill", level: "silent" }) });
  try {
    const services = await Promise.all(serviceIds.map((id) => serviceOf(kv, id)));
    let written = 0;
    const write = async () => {
      while (written < tasks) {
        const count = Math.min(TASKS_OF_A_COMMIT, tasks - written);
        const from = written;
        written += count;
        const puts = Array.from({ length: count }, (_, n) => putsOf(services[(from + n) % services.length] as Service));
        await put(kv, puts.flat());
      }
    };
    await Promise.all(Array.from({ length: COMMITS_AT_ONCE }, write));
  } finally {
    await kv.close();
  }
}

/** A write whose response was lost is repeated, which changes nothing. */
async function put(kv: Kv, puts: readonly Put[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await kv.txn({ compares: [], deletes: [], puts });
      return;
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
    }
  }
}

async function serviceOf(kv: Kv, id: string): Promise<Service> {
  const [entry] = (await kv.read([recordKey("services", id)])).entries;
  if (!entry) throw new Error(`there is no service ${id}`);
  return readRecord("services", id, entry.value) as Service;
}

function putsOf({ id: serviceId, teamId, name, creatorId }: Service): readonly Put[] {
  const createdAt = Date.now();
  const id = newId(createdAt);
  const requestId = newId(createdAt);
  const task = queue({
    id,
    teamId,
    serviceId,
    serviceName: name,
    creatorId,
    createdAt,
    requestId,
    traceparent: `00-${requestId}-${requestId.slice(16)}-01`,
    input: { bytes: INPUT.length, sha256: INPUT_SHA256, where: "store" },
    budgets: { queueMs: DAY_MS, startMs: DAY_MS, runMs: 60_000 },
    priority: 0,
    proverRetries: 0,
    retentionMs: 7 * DAY_MS,
    holds: { slots: 1, gpus: 0 },
  });
  const key = recordKey("tasks", id);
  return [
    { key, value: encodeRecord(key, newId(createdAt).slice(0, 12), task) },
    { key: inputKey(id), value: INPUT },
  ];
}
