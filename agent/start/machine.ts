/** Looks at the machine when the agent starts, and keeps what may change: its GPUs, its container engine, its speed. */
import { join } from "node:path";
import type { ContainerEngine, Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type AccelLibrary, openAccelLibrary } from "../accel-library/accel-library.ts";
import { selfTestWith } from "../accel-library/self-test.ts";
import { findBuilder, thisMachine } from "../builds/can-build.ts";
import { type AgentConfig, ConfigError } from "../config/config.ts";
import { deviceNodes, type GpuNodes, readMigMinors } from "../gpus/device-nodes.ts";
import { openDriver } from "../gpus/driver-process.ts";
import { type GpuKeeper, type GpuKeeperOptions, keepGpus } from "../gpus/gpu-keeper.ts";
import { wireGpu } from "../gpus/wire-gpu.ts";
import { keepSpeeds, SPEEDS_FILE, type SpeedKeeper, type SpeedKeeperOptions } from "../node-speed/speed-keeper.ts";
import { type Builtins, openBuiltins } from "../workloads/builtin/open-builtin.ts";
import { type EngineKeeper, type EngineKeeperOptions, keepEngine } from "../workloads/docker/engine-keeper.ts";
import { type ClusterKeeper, keepCluster } from "../workloads/kubernetes/cluster-keeper.ts";
import { openClusterClient } from "../workloads/kubernetes/open-cluster-client.ts";
import { whyNoShells } from "../workloads/shell/can-have-shells.ts";
import { inventoryOf } from "./inventory.ts";
import type { Node } from "./open-node.ts";

export interface Machine {
  readonly engine: EngineKeeper;
  /** Null where the node is this machine. */
  readonly cluster: ClusterKeeper | null;
  readonly builtins: Builtins;
  readonly gpus: GpuKeeper;
  /** The device files of these GPUs. */
  readonly gpuNodes: GpuNodes;
  readonly speeds: SpeedKeeper;
  /** As the machine is now. */
  readonly inventory: () => Inventory;
  /** From here on changes are observed and published. */
  run(): void;
}

/** Called from `run` on. */
export interface MachineNews {
  readonly gpus: Pick<GpuKeeperOptions, "onChange" | "onXid">;
  readonly engine: Pick<EngineKeeperOptions, "onChange" | "onAvailable">;
  readonly cluster: { readonly onChange: () => void };
  readonly speeds: Pick<SpeedKeeperOptions, "onMeasured">;
}

export async function surveyMachine(
  { config, nodeId, clock, log }: Node,
  news: MachineNews,
  stopping: AsyncDisposableStack,
): Promise<Machine> {
  const nodesOf: GpuNodes = (uuids) => {
    const named = gpus.list().filter(({ uuid }) => uuids.includes(uuid));
    return deviceNodes(
      named.map(({ reading }) => reading),
      readMigMinors(),
    );
  };
  const opening = openAccel(config, nodesOf, log);
  const [gpus, engine, cluster, builtins, accel] = await Promise.all([
    keepGpus({
      // The GPUs of a cluster are those that its nodes have.
      driver: openDriver(config.cluster === null ? config.nvmlLibrary : NO_LIBRARY),
      selfTest: async (uuid) => selfTestWith(await opening, log)(uuid),
      ...news.gpus,
      clock,
      log,
    }),
    keepEngine({
      setting: config.cluster === null ? config.engine : { kind: "none" },
      nodeId,
      ...news.engine,
      clock,
      log,
    }),
    openCluster({ config, nodeId, log }, news.cluster.onChange),
    openBuiltins(config, nodesOf, log),
    opening,
  ]);
  stopping.defer(() => engine.stop());
  stopping.defer(() => cluster?.stop());
  stopping.defer(() => gpus.stop());
  const speeds = keepSpeeds({ library: accel, file: join(config.stateDir, SPEEDS_FILE), gpus, ...news.speeds, log });
  stopping.defer(() => speeds.stop());
  if (cluster === null && engine.engine() === null && config.engine.kind !== "none")
    log.warn("no container engine responds: only builtin provers run here until one does");
  const { slots, labels } = config;
  const canHaveShells = whyNoShells() === null;
  const parts = { slots, labels, builtinProvers: builtins.provers, builds: buildsOf(config, log) };
  return {
    engine,
    cluster,
    builtins,
    gpus,
    gpuNodes: nodesOf,
    speeds,
    inventory: () => {
      const { name, version } = engine.engine() ?? {};
      const machineEngine = name === undefined || version === undefined ? null : { name, version };
      const shells = machineEngine !== null && canHaveShells;
      const wireGpus = cluster?.gpus() ?? gpus.list().map((gpu) => wireGpu(gpu, speeds.of(gpu.uuid)));
      const wireEngine = clusterEngine(cluster) ?? machineEngine;
      // Its speed is that of the machine that the agent runs on, which proves nothing.
      const ofCluster = { cluster: cluster?.capacity() ?? null, cpuSpeed: cluster === null ? speeds.of(null) : null };
      return inventoryOf({ ...parts, ...ofCluster, engine: wireEngine, shells, gpus: wireGpus });
    },
    run: () => {
      gpus.run();
      engine.run();
      speeds.run();
    },
  };
}

const NO_LIBRARY = "no library: the node is a cluster";

/** Null where the node is this machine. Rejects where the cluster's credentials cannot be read. */
async function openCluster(
  { config, nodeId, log }: Pick<Node, "config" | "nodeId" | "log">,
  onChange: () => void,
): Promise<ClusterKeeper | null> {
  const { cluster: setting } = config;
  if (setting === null) return null;
  const client = await openClusterClient(setting).catch((error: unknown) => {
    throw new ConfigError(`ELASTIC_WORKLOADS=kubernetes: ${(error as Error).message}`);
  });
  return await keepCluster({ client, setting, nodeId, onChange, log });
}

/** Absent while its API server has not responded. */
function clusterEngine(cluster: ClusterKeeper | null): ContainerEngine | null {
  const version = cluster?.version() ?? null;
  return version === null ? null : { name: "kubernetes", version };
}

/** A machine that shall build and cannot says so when it starts, and takes no builds. */
function buildsOf({ builds }: AgentConfig, log: Logger): number {
  if (builds.max === 0) return 0;
  const found = findBuilder(thisMachine(builds.path));
  if ("programs" in found) return builds.max;
  log.error(found.whyNot);
  return 0;
}

/** Null where there is none, or none that can be used: the agent works without. */
async function openAccel(
  { accelLibrary, stateDir }: AgentConfig,
  gpuNodes: GpuNodes,
  log: Logger,
): Promise<AccelLibrary | null> {
  if (accelLibrary === null) return null;
  return await openAccelLibrary(accelLibrary, join(stateDir, "accel"), gpuNodes, log).catch((error: unknown) => {
    log.warn({ err: error }, "the acceleration library cannot be used: this node has no score");
    return null;
  });
}
