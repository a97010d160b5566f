/** A cluster that builds, with base images of this machine's own toolchain in its registry: none can be pulled. */
import { pushBusybox } from "@elastic/agent/builds/testing/push-busybox.ts";
import { pushAs } from "@elastic/deploy/local/image.ts";
import { type ApiClient, apiClient } from "@elastic/test/cluster/api-client.ts";
import { type Cluster, startCluster } from "@elastic/test/cluster/cluster.ts";
import { importImage, packageFiles } from "@elastic/test/cluster/package-image.ts";
import { addTeam } from "@elastic/test/cluster/second-team.ts";
import { toolchainFiles } from "@elastic/test/cluster/toolchain-image.ts";

export interface BuildCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  /** A user of a team that is new, and has nothing in any cache. */
  newTeam(): Promise<ApiClient>;
}

/** As the build file of `elastic init` names them, without the registry. */
const RUST_IMAGE = "library/rust:1-slim-bookworm";
const RUN_IMAGE = "library/debian:bookworm-slim";
/** What a program of Rust's links. */
const RUN_PACKAGES = ["libc6", "libgcc-s1"];

export async function startBuildCluster(buildsAtOnce: number): Promise<BuildCluster> {
  const cluster = await startCluster({
    engine: true,
    agentSettings: { ELASTIC_BUILDS: String(buildsAtOnce), ELASTIC_BUILD_EGRESS: "none" },
  });
  try {
    const { key } = cluster.firstKey;
    const host = cluster.registry?.host ?? "";
    await pushBusybox(host, key);
    const socket = cluster.engine?.socket ?? "";
    const rust = await importImage(socket, "elastic-bench-rust", toolchainFiles);
    await pushAs(socket, rust, `${host}/${RUST_IMAGE}`, key);
    const files = packageFiles(RUN_PACKAGES);
    const run = await importImage(socket, "elastic-bench-run", () => ({ files, renames: [] }));
    await pushAs(socket, run, `${host}/${RUN_IMAGE}`, key);
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
