/** Which node takes a workload: the one it fits best. Pure. */
import { type Deployment, imagesOf } from "../../domain/deployment.ts";
import type { AssignmentEntry, NodeEntry } from "./entries.ts";
import { fit, roomOf } from "./room.ts";

export interface Choice {
  readonly nodeId: string;
  readonly gpuUuids: readonly string[];
}

interface Candidate extends Choice {
  /** Compared in order, lower is better. */
  readonly rank: readonly number[];
}

export interface Fleet {
  readonly nodes: Pick<ReadonlyMap<string, NodeEntry>, "get" | "values">;
  readonly deployments: ReadonlyMap<string, Deployment>;
  /** Whether a record is there and cannot be read; none where it is left out. */
  isUnreadable?(kind: "deployments" | "shells" | "builds", id: string): boolean;
}

/** What is to be placed: a deployment's workload, or what says as much of itself. */
export type Placeable = Pick<Deployment, "id" | "image" | "verifierImage" | "volume" | "resources">;

/** Null if no node has room. Nodes in `failedOn` come last. */
export function chooseNode(deployment: Placeable, fleet: Fleet, failedOn: ReadonlySet<string>): Choice | null {
  let best: Candidate | null = null;
  const onlyHome = onlyHomeOf(deployment, fleet);
  for (const node of fleet.nodes.values()) {
    const candidate = consider(deployment, node, fleet, { failedOn, onlyHome });
    if (candidate !== null && (best === null || comesFirst(candidate, best))) best = candidate;
  }
  return best === null ? null : { nodeId: best.nodeId, gpuUuids: best.gpuUuids };
}

/** Whether the deployment would fit on the assignment's node if that assignment were gone. */
export function wouldFitInstead(deployment: Placeable, of: AssignmentEntry, fleet: Fleet): boolean {
  return takesMore(of.node, fleet) && fit(deployment, of.node, roomOf(of.node, fleet.deployments, of)) !== null;
}

/** A node that holds what cannot be read is sent no assignments meanwhile, and nobody knows how much memory that takes. */
export function takesMore({ assignments, shells, builds }: NodeEntry, fleet: Fleet): boolean {
  if (fleet.isUnreadable === undefined) return true;
  for (const { value } of assignments) {
    if (fleet.isUnreadable("deployments", value.workload.deploymentId)) return false;
  }
  for (const { shell } of shells) if (fleet.isUnreadable("shells", shell.id)) return false;
  for (const { build } of builds) if (fleet.isUnreadable("builds", build.id)) return false;
  return true;
}

function consider(
  deployment: Placeable,
  node: NodeEntry,
  fleet: Fleet,
  { failedOn, onlyHome }: { readonly failedOn: ReadonlySet<string>; readonly onlyHome: NodeEntry | null },
): Candidate | null {
  if (!takesMore(node, fleet)) return null;
  const room = roomOf(node, fleet.deployments);
  const gpus = fit(deployment, node, room);
  if (gpus === null) return null;
  return {
    nodeId: node.id,
    gpuUuids: gpus.map((gpu) => gpu.uuid),
    rank: [
      failedOn.has(node.id) ? 1 : 0,
      // A prover without GPU leaves nodes with GPUs to those that need one.
      gpus.length === 0 ? room.gpus.length : 0,
      // The smallest GPUs that do, and the node where the fewest remain free: large blocks stay in one piece.
      Math.max(0, ...gpus.map((gpu) => gpu.memoryBytes)),
      gpus.length === 0 ? 0 : room.gpus.length - gpus.length,
      // A service that is on one node only goes to a second one first: else losing that node takes all of it.
      node === onlyHome ? 1 : 0,
      // Where its data and its image are already.
      thingsOf(deployment).filter((thing) => !node.images.has(thing)).length,
      // And over all of those.
      copiesOn(node, deployment),
      -room.slots,
    ],
  };
}

function onlyHomeOf(deployment: Placeable, { nodes }: Fleet): NodeEntry | null {
  const homes = [...nodes.values()].filter((node) => copiesOn(node, deployment) > 0);
  return homes.length === 1 ? (homes[0] ?? null) : null;
}

function copiesOn({ assignments }: NodeEntry, { id }: Placeable): number {
  let copies = 0;
  for (const { value } of assignments) if (value.workload.deploymentId === id) copies++;
  return copies;
}

/** What a node keeps once it has brought it in. */
export function thingsOf(deployment: Placeable): readonly string[] {
  const { volume } = deployment;
  return volume === null ? imagesOf(deployment) : [...imagesOf(deployment), volume.manifestSha256];
}

function comesFirst(a: Candidate, b: Candidate): boolean {
  for (const [index, rank] of a.rank.entries()) {
    const other = b.rank[index] ?? 0;
    if (rank !== other) return rank < other;
  }
  return a.nodeId < b.nodeId;
}
