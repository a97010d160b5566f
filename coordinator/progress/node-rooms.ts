/** What is free on each node as the records have it, for whoever decides nothing: the scheduler has its own view. Pure. */
import { type Assignment, isOfBuild, isOfDeployment, isOfShell, type Workload } from "../domain/assignment.ts";
import type { Deployment } from "../domain/deployment.ts";
import type { Node } from "../domain/node.ts";
import type { Shell } from "../domain/shell.ts";
import type { Fitted } from "../domain/suitable-node.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { NodeEntry } from "../scheduler/decide/entries.ts";
import { fit, type Room, roomOf } from "../scheduler/decide/room.ts";
import { assignmentEntry, nodeEntry, serviceEntry } from "../scheduler/view/new-entries.ts";

export interface RoomRecords {
  readonly nodes: readonly Node[];
  readonly assignments: readonly Assignment[];
  readonly shells: readonly Shell[];
  readonly deploymentOf: (id: string) => Deployment | undefined;
  readonly workloadOf: (assignmentId: string) => Workload | undefined;
}

interface NodeRoom {
  readonly node: Node;
  readonly entry: NodeEntry;
  readonly room: Room;
}

export type NodeRooms = readonly NodeRoom[];

/** Of nodes that accept work. */
export function roomsOf(records: RoomRecords): NodeRooms {
  const entries = new Map(
    records.nodes.filter(({ state }) => state === "ready").map((node) => [node.id, entryOf(node)]),
  );
  const shells = new Map(records.shells.map((shell) => [shell.id, shell]));
  const deployments = new Map<string, Deployment>();
  for (const assignment of records.assignments) {
    const node = entries.get(assignment.nodeId);
    if (node === undefined) continue;
    const found = records.workloadOf(assignment.id);
    const workload = found === undefined ? null : read(found);
    if (isOfDeployment(assignment)) {
      const { deploymentId, serviceId } = assignment.workload;
      const deployment = records.deploymentOf(deploymentId);
      if (deployment !== undefined) deployments.set(deploymentId, deployment);
      const entry = assignmentEntry(assignment, serviceEntry(serviceId), node, 0);
      entry.workload = workload;
      node.assignments.add(entry);
    } else if (isOfShell(assignment)) {
      const shell = shells.get(assignment.workload.shellId);
      const of = {
        id: assignment.workload.shellId,
        read: shell === undefined ? null : read(shell),
        places: new Set<never>(),
        pending: false,
      };
      node.shells.add({ id: assignment.id, shell: of, node, value: assignment, read: null, workload });
    } else if (isOfBuild(assignment)) {
      const build = { id: assignment.workload.buildId, read: null, places: new Set<never>(), pending: false };
      node.builds.add({ id: assignment.id, build, node, value: assignment, read: null });
    }
  }
  return records.nodes.flatMap((node) => {
    const entry = entries.get(node.id);
    return entry === undefined ? [] : [{ node, entry, room: roomOf(entry, deployments) }];
  });
}

export function hasRoomFor(fitted: Fitted, rooms: NodeRooms, among: (node: Node) => boolean): boolean {
  return rooms.some(({ node, entry, room }) => among(node) && fit(fitted, entry, room) !== null);
}

/** A node with nothing on it. */
export function entryOf(node: Node): NodeEntry {
  const entry = nodeEntry(node.id);
  entry.read = read(node);
  entry.linked = true;
  return entry;
}

/** Nothing here is committed, so that no revision counts. */
function read<T>(value: T): Versioned<T> {
  return { value, revision: 0 };
}
