/** A cluster that builds, with base images of this machine's own toolchain in its registry: none can be pulled. */
import { pushBusybox } from "@elastic/agent/builds/testing/push-busybox.ts";
import { type ApiClient, apiClient } from "@elastic/test/cluster/api-client.ts";
import { type Cluster, startCluster } from "@elastic/test/cluster/cluster.ts";
import { pushRustBase } from "@elastic/test/cluster/rust-base-image.ts";
import { addTeam } from "@elastic/test/cluster/second-team.ts";

export interface BuildCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  /** A user of a team that is new, and has nothing in any cache. */
  newTeam(): Promise<ApiClient>;
}

export async function startBuildCluster(buildsAtOnce: number): Promise<BuildCluster> {
  const cluster = await startCluster({
    engine: true,
    agentSettings: {
      ELASTIC_BUILDS: String(buildsAtOnce),
      ELASTIC_BUILD_EGRESS: "none",
      ELASTIC_BUILD_CPU_WEIGHT: "idle",
    },
  });
  try {
    const { key } = cluster.firstKey;
    const host = cluster.registry?.host ?? "";
    await pushBusybox(host, key);
    await pushRustBase(host, key, { cold: true });
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
  let teams = 0;
  return {
    cluster,
    newTeam: async () => {
      const { key } = await addTeam(cluster.etcd.endpoint, `builders-${++teams}`);
      return apiClient({ url: cluster.client().url, key });
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}
