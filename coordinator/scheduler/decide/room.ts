/** What is free on a node, and whether and how well a workload of a deployment fits there. Pure. */
import { holdsRoom } from "../../domain/assignment.ts";
import { BUILD_MEMORY_BYTES } from "../../domain/build.ts";
import { type Deployment, memoryOf, slotsOf } from "../../domain/deployment.ts";
import { givableGpus } from "../../domain/gpu-wish.ts";
import { type NodeGpu, takesWorkloads } from "../../domain/node.ts";
import { type Fitted, hasLabels, hasMeans } from "../../domain/suitable-node.ts";
import type { AssignmentEntry, NodeEntry, ShellPlace } from "./entries.ts";
import { fitGpus } from "./fit-gpus.ts";

export interface Room {
  readonly slots: number;
  readonly gpus: readonly NodeGpu[];
  readonly memoryBytes: number;
}

type Deployments = ReadonlyMap<string, Deployment>;

/** What is free on the node; `without` counts as gone already. */
export function roomOf(node: NodeEntry, deployments: Deployments, without?: AssignmentEntry): Room {
  const inventory = node.read?.value.inventory;
  if (inventory === undefined) return { slots: 0, gpus: [], memoryBytes: 0 };
  const held = [...node.assignments].filter((entry) => entry !== without && holdsRoom(entry.workload?.value));
  const shells = [...node.shells].filter(({ workload }) => holdsRoom(workload?.value));
  const heldGpus = new Set([...held, ...shells].flatMap((entry) => entry.value.gpuUuids));
  const memoryHeldBy = ({ value }: AssignmentEntry) => {
    const deployment = deployments.get(value.workload.deploymentId);
    return deployment === undefined ? 0 : memoryOf(deployment);
  };
  const free = givableGpus(inventory.gpus).filter((gpu) => !isHeld(gpu, inventory.gpus, heldGpus));
  const gpus = free.filter((gpu) => gpu.unhealthyReason === null);
  return {
    // The slot of a GPU in quarantine is nobody's.
    slots: inventory.slots - (free.length - gpus.length) - sum([...held, ...shells].map((entry) => entry.value.slots)),
    gpus,
    memoryBytes:
      inventory.memoryBytes -
      sum([...held.map(memoryHeldBy), ...shells.map(shellMemory)]) -
      node.builds.size * BUILD_MEMORY_BYTES,
  };
}

/** The GPUs a workload would get in that room, none for one without; null if it does not fit. */
export function fit(deployment: Fitted, node: NodeEntry, room: Room): readonly NodeGpu[] | null {
  if (!canRun(deployment, node)) return null;
  if (room.slots < slotsOf(deployment) || room.memoryBytes < memoryOf(deployment)) return null;
  return fitGpus(deployment.resources, room.gpus);
}

function canRun(deployment: Fitted, node: NodeEntry): boolean {
  const record = node.read?.value;
  if (record === undefined || !takesWorkloads(record) || !node.linked) return false;
  return hasLabels(record.inventory, deployment) && hasMeans(record.inventory, deployment);
}

/** A GPU that is cut, or whose cut was undone, after it was given out: whoever has it or a part of it holds it. */
function isHeld(gpu: NodeGpu, all: readonly NodeGpu[], held: ReadonlySet<string>): boolean {
  if (held.has(gpu.uuid) || (gpu.parentUuid !== "" && held.has(gpu.parentUuid))) return true;
  return all.some(({ uuid, parentUuid }) => parentUuid === gpu.uuid && held.has(uuid));
}

/** To erase what a shell left takes no memory to speak of. */
function shellMemory({ value, shell }: ShellPlace): number {
  return value.workload.purpose === "run" ? (shell.read?.value.resources.memoryBytes ?? 0) : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
