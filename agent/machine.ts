/** Looks at the machine once, when the agent starts: its GPUs, its container engine, its builtin provers. */
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
import { type Engine, findEngine } from "./workloads/docker/engine.ts";
import { whyNoShells } from "./workloads/shell/can-have-shells.ts";

export interface Machine {
  readonly engine: Engine | null;
  readonly builtins: Builtins;
  readonly gpus: GpuKeeper;
  /** The device files of these GPUs. */
  readonly gpuNodes: GpuNodes;
  /** As the machine is now. */
  readonly inventory: () => Inventory;
}

/** What is told of GPUs after the survey. */
export type GpuNews = Pick<GpuKeeperOptions, "onChange" | "onXid">;

export async function surveyMachine(config: AgentConfig, news: GpuNews, clock: Clock, log: Logger): Promise<Machine> {
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
      ...news,
      clock,
      log,
    }),
    findEngine(config.engine),
    openBuiltins(config, nodesOf, log),
  ]);
  if (engine === null && config.engine.kind !== "none")
    log.warn("no container engine answers: only builtin provers run here");
  const { slots, labels } = config;
  const wireEngine = engine === null ? null : { name: engine.name, version: engine.version };
  const shells = engine !== null && whyNoShells() === null;
  const parts = { slots, labels, engine: wireEngine, builtinProvers: builtins.provers, shells };
  return {
    engine,
    builtins,
    gpus,
    gpuNodes: nodesOf,
    inventory: () => inventoryOf({ ...parts, gpus: gpus.list().map(wireGpu) }),
  };
}
