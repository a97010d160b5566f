/** Our service as a contender: etcd, coordinator and agent are processes of their own, reached the way its clients reach it. */
import { join } from "node:path";
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import { connectEtcd } from "@elastic/coordinator/store/etcd/etcd-kv.ts";
import { inputKey, recordKey, resultKey } from "@elastic/coordinator/store/keys.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { createLog } from "@elastic/std/log.ts";
import type { ApiClient } from "@elastic/test/cluster/api-client.ts";
import { type Cluster, startCluster } from "@elastic/test/cluster/cluster.ts";
import type { LoadOrder, LoadReport } from "../measure/load.ts";
import { type LoadProcess, startLoadProcess } from "../measure/load-process.ts";
import { type Contender, INPUT, WORKERS_AT_A_TIME } from "./contender.ts";
import type { ElasticLoadSettings } from "./elastic-load.ts";

/** One for the measured service, one for the service that takes tasks and works on none. */
const SLOTS = 2;
const NEVER_ENDING_MS = 86_400_000;
const CANCELLED_WITHIN_MS = 300_000;

export interface Elastic extends Contender {
  /** Of its coordinator. */
  readonly metricsUrl: string;
  /** Durable creations alone: the tasks only queue, and are cancelled afterwards. */
  measureCreates(order: LoadOrder): Promise<LoadReport>;
  /** Bytes of what a task's life puts into etcd: its record, its input and its result. */
  valueBytes(): Promise<readonly [record: number, input: number, result: number]>;
}

export async function startElastic(): Promise<Elastic> {
  const cluster = await startCluster({ agentSettings: { ELASTIC_SLOTS: String(SLOTS) } });
  const client = cluster.client();
  const limits = { concurrency: WORKERS_AT_A_TIME };
  const service = await client.readyService("clock", { image: "builtin:clock", limits });
  const load = await startLoad(client, service.service_id);
  return {
    name: "elastic",
    version: manifest.version,
    settings: `${WORKERS_AT_A_TIME} tasks at a time`,
    client: load.pid,
    processes: processesOf(cluster),
    metricsUrl: cluster.coordinators[0]?.metricsUrl ?? "",
    measure: load.run,
    measureCreates: (order) => measureCreates(client, order),
    valueBytes: () => valueBytes(cluster, client, service.service_id),
    async stop() {
      await load.stop();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** Of the one coordinator and the one agent. */
function processesOf({ etcd, coordinators, agents }: Cluster): Readonly<Record<string, number>> {
  const [coordinator, agent] = [coordinators[0]?.child().pid ?? 0, agents[0]?.child().pid ?? 0];
  return { etcd: etcd.child().pid, coordinator, agent };
}

function startLoad(client: ApiClient, serviceId: string): Promise<LoadProcess> {
  const settings: ElasticLoadSettings = { url: client.url, key: client.key, serviceId, input: INPUT };
  return startLoadProcess(join(import.meta.dirname, "elastic-load.ts"), settings);
}

async function measureCreates(client: ApiClient, order: LoadOrder): Promise<LoadReport> {
  const { service_id: serviceId } = await client.readyService("busy", { image: "builtin:sleep" });
  await client.postTask(serviceId, JSON.stringify({ ms: NEVER_ENDING_MS }));
  const load = await startLoad(client, serviceId);
  try {
    return await load.run(order);
  } finally {
    await load.stop();
    await client.call(`/v1/services/${serviceId}`, { method: "DELETE" });
    await until("the queued tasks are cancelled", () => nothingPending(client, serviceId), {
      timeoutMs: CANCELLED_WITHIN_MS,
    });
  }
}

async function nothingPending(client: ApiClient, serviceId: string): Promise<true | undefined> {
  const { json } = await client.call(`/v1/tasks?service_id=${serviceId}&state=PENDING&size=1`);
  return (json as { readonly total: number }).total === 0 ? true : undefined;
}

async function valueBytes(
  cluster: Cluster,
  client: ApiClient,
  serviceId: string,
): Promise<readonly [number, number, number]> {
  const { task_id: taskId } = await client.prove(serviceId, JSON.stringify(INPUT));
  const kv = connectEtcd({ endpoints: [cluster.etcd.endpoint], log: createLog({ name: "bench", level: "silent" }) });
  try {
    const { entries } = await kv.read([recordKey("tasks", taskId), inputKey(taskId), resultKey(taskId)]);
    const [task, input, result] = entries.map((entry) => entry?.value.byteLength ?? 0);
    return [task ?? 0, input ?? 0, result ?? 0];
  } finally {
    await kv.close();
  }
}
