/** Looks at the machine when the agent starts, and keeps what may change: its GPUs and its container engine. */
import type { Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { AgentConfig } from "./config.ts";
import { deviceNodes, type GpuNodes, readMigMinors } from "./gpus/device-nodes.ts";
import { openDriver } from "./gpus/driver-process.ts";
import { type GpuKeeper, type GpuKeeperOptions, keepGpus } from "./gpus/gpu-keeper.ts";
import { selfTestWith } from "./gpus/self-test.ts";
import { wireGpu } from "./gpus/wire-gpu.ts";
import { inventoryOf } from "./inventory.ts";
import { type Builtins, openBuiltins } from "./workloads/builtin/open-builtin.ts";
import { type EngineKeeper, type EngineKeeperOptions, keepEngine } from "./workloads/docker/engine-keeper.ts";
import { whyNoShells } from "./workloads/shell/can-have-shells.ts";

export interface Machine {
  readonly engine: EngineKeeper;
  readonly builtins: Builtins;
  readonly gpus: GpuKeeper;
  /** The device files of these GPUs. */
  readonly gpuNodes: GpuNodes;
  /** As the machine is now. */
  readonly inventory: () => Inventory;
}

/** What is told after the survey. */
export interface MachineNews {
  readonly gpus: Pick<GpuKeeperOptions, "onChange" | "onXid">;
  readonly engine: Pick<EngineKeeperOptions, "onChange" | "onAnswers">;
}

export async function surveyMachine(
  config: AgentConfig,
  nodeId: string,
  news: MachineNews,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<Machine> {
  const nodesOf: GpuNodes = (uuids) => {
    const named = gpus.list().filter(({ uuid }) => uuids.includes(uuid));
    return deviceNodes(
      named.map(({ reading }) => reading),
      readMigMinors(),
    );
  };
  const [gpus, engine, builtins] = await Promise.all([
    keepGpus({
      driver: openDriver(config.nvmlLibrary),
      selfTest: selfTestWith(config.ffiLibrary),
      ...news.gpus,
      clock,
      log,
    }),
    keepEngine({ setting: config.engine, nodeId, ...news.engine, clock, log }),
    openBuiltins(config, nodesOf, log),
  ]);
  if (engine.engine() === null && config.engine.kind !== "none")
    log.warn("no container engine answers: only builtin provers run here until one does");
  const { slots, labels } = config;
  const canHaveShells = whyNoShells() === null;
  const parts = { slots, labels, builtinProvers: builtins.provers };
  return {
    engine,
    builtins,
    gpus,
    gpuNodes: nodesOf,
    inventory: () => {
      const { name, version } = engine.engine() ?? {};
      const wireEngine = name === undefined || version === undefined ? null : { name, version };
      const shells = wireEngine !== null && canHaveShells;
      return inventoryOf({ ...parts, engine: wireEngine, shells, gpus: gpus.list().map(wireGpu) });
    },
  };
}
