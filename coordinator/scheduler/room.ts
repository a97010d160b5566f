/** What is free on a node, and whether and how well a workload of a deployment fits there. Pure. */
import { builtinName, type Deployment, imagesOf, memoryOf, slotsOf } from "../domain/deployment.ts";
import type { NodeGpu } from "../domain/node.ts";
import type { AssignmentEntry, NodeEntry, ShellPlace } from "./entries.ts";
import { fitGpus } from "./fit-gpus.ts";

export interface Room {
  readonly slots: number;
  readonly gpus: readonly NodeGpu[];
  readonly memoryBytes: number;
}

/** What of a workload says where it fits. */
type Placed = Pick<Deployment, "image" | "verifierImage" | "resources">;
type Deployments = ReadonlyMap<string, Deployment>;

/** What is free on the node; `without` counts as gone already. */
export function roomOf(node: NodeEntry, deployments: Deployments, without?: AssignmentEntry): Room {
  const inventory = node.read?.value.inventory;
  if (inventory === undefined) return { slots: 0, gpus: [], memoryBytes: 0 };
  const held = [...node.assignments].filter((entry) => entry !== without && holdsRoom(entry));
  const shells = [...node.shells].filter(holdsRoom);
  const heldGpus = new Set([...held, ...shells].flatMap((entry) => entry.value.gpuUuids));
  const memoryHeldBy = ({ value }: AssignmentEntry) => {
    const deployment = deployments.get(value.workload.deploymentId);
    return deployment === undefined ? 0 : memoryOf(deployment);
  };
  const free = inventory.gpus.filter((gpu) => !heldGpus.has(gpu.uuid));
  const gpus = free.filter((gpu) => gpu.unhealthyReason === null);
  return {
    // The slot of a GPU in quarantine is nobody's.
    slots: inventory.slots - (free.length - gpus.length) - sum([...held, ...shells].map((entry) => entry.value.slots)),
    gpus,
    memoryBytes: inventory.memoryBytes - sum([...held.map(memoryHeldBy), ...shells.map(shellMemory)]),
  };
}

/** The GPUs a workload would get in that room, none for one without; null if it does not fit. */
export function fit(deployment: Placed, node: NodeEntry, room: Room): readonly NodeGpu[] | null {
  if (!canRun(deployment, node)) return null;
  if (room.slots < slotsOf(deployment) || room.memoryBytes < memoryOf(deployment)) return null;
  return fitGpus(deployment.resources, room.gpus);
}

function canRun(deployment: Placed, node: NodeEntry): boolean {
  const record = node.read?.value;
  if (record?.state !== "ready" || !node.linked) return false;
  // Workloads share a node's cores, but none can be given more than there are.
  if (record.inventory.cpuCores * 1000 < deployment.resources.cpuMillis) return false;
  const { engine, builtinProvers } = record.inventory;
  return imagesOf(deployment).every((image) => {
    const builtin = builtinName({ image });
    return builtin === null ? engine !== null : builtinProvers.includes(builtin);
  });
}

/** To erase what a shell left takes no memory to speak of. */
function shellMemory({ value, shell }: ShellPlace): number {
  return value.workload.purpose === "run" ? (shell.read?.value.resources.memoryBytes ?? 0) : 0;
}

/** What failed or stopped has let go of its slots. */
function holdsRoom(entry: Pick<AssignmentEntry, "workload">): boolean {
  const phase = entry.workload?.value.phase;
  return phase !== "failed" && phase !== "stopped";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
