/** Looks at the machine once, when the agent starts: its GPUs, its container engine, its builtin provers. */
import type { Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { AgentConfig } from "./config.ts";
import { findGpus } from "./gpus/find-gpus.ts";
import type { NvmlGpu } from "./gpus/nvml.ts";
import { inventoryOf } from "./inventory.ts";
import { type Builtins, openBuiltins } from "./workloads/builtin/open-builtin.ts";
import { type Engine, findEngine } from "./workloads/docker/engine.ts";
import { whyNoShells } from "./workloads/shell/can-have-shells.ts";

export interface Machine {
  readonly engine: Engine | null;
  readonly builtins: Builtins;
  readonly inventory: Inventory;
}

export async function surveyMachine(config: AgentConfig, log: Logger): Promise<Machine> {
  const [gpus, engine, builtins] = await Promise.all([
    gpusOf(log),
    findEngine(config.engine),
    openBuiltins(config, log),
  ]);
  if (engine === null && config.engine.kind !== "none")
    log.warn("no container engine answers: only builtin provers run here");
  const { slots, labels } = config;
  const wireGpus = gpus.map((gpu) => ({ ...gpu, memoryBytes: BigInt(gpu.memoryBytes) }));
  const wireEngine = engine === null ? null : { name: engine.name, version: engine.version };
  const shells = engine !== null && whyNoShells() === null;
  const parts = { gpus: wireGpus, slots, labels, engine: wireEngine, builtinProvers: builtins.provers, shells };
  return { engine, builtins, inventory: inventoryOf(parts) };
}

async function gpusOf(log: Logger): Promise<readonly NvmlGpu[]> {
  const search = await findGpus();
  if (search.kind === "broken") log.error({ why: search.why }, "the GPU driver does not work: this node offers no GPU");
  return search.kind === "found" ? search.gpus : [];
}
