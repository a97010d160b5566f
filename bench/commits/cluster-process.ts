/**
 * Our service for a comparison of two commits, in a process that reports how it is reached. Copied into the folder of the
 * other commit, whose cluster it then starts: it imports nothing of this benchmark.
 */
import { startCluster } from "@elastic/test/cluster/cluster.ts";

export interface ClusterSettings {
  /** Tasks that the workload takes at a time. */
  readonly concurrency: number;
}

export interface ClusterReady {
  readonly url: string;
  readonly key: string;
  readonly serviceId: string;
  readonly processes: Readonly<Record<"etcd" | "coordinator" | "agent", number>>;
}

const { concurrency } = JSON.parse(process.argv[2] ?? "") as ClusterSettings;
const cluster = await startCluster({ agentSettings: { ELASTIC_SLOTS: "2" } });
process.on("disconnect", () => void stop());
const client = cluster.client();
const service = await client.readyService("clock", { image: "builtin:clock", limits: { concurrency } });
const { etcd, coordinators, agents } = cluster;
const ready: ClusterReady = {
  url: client.url,
  key: client.key,
  serviceId: service.service_id,
  processes: {
    etcd: etcd.child().pid,
    coordinator: coordinators[0]?.child().pid ?? 0,
    agent: agents[0]?.child().pid ?? 0,
  },
};
process.send?.(ready);

async function stop(): Promise<void> {
  try {
    await cluster[Symbol.asyncDispose]();
  } finally {
    process.exit();
  }
}
