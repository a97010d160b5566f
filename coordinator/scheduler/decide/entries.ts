/**
 * How the scheduler's view holds services, nodes, assignments and open tasks: each record beside what hangs
 * on it, so that a decision never searches. Only scheduler-view.ts changes them.
 */
import type {
  Assignment,
  BuildAssignment,
  DeploymentAssignment,
  ShellAssignment,
  Workload,
} from "../../domain/assignment.ts";
import type { Build } from "../../domain/build.ts";
import type { Deployment } from "../../domain/deployment.ts";
import type { Node } from "../../domain/node.ts";
import type { Service } from "../../domain/service.ts";
import type { Shell } from "../../domain/shell.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../store/store.ts";
import { TaskLanes } from "./task-lanes.ts";

export interface OpenTask {
  readonly id: string;
  readonly service: ServiceEntry;
  read: Versioned<Task>;
  /** Where it runs, or was just dispatched to by a claim that has not settled. */
  on: AssignmentEntry | null;
  /** Where it runs. */
  node: NodeEntry | null;
  /** A commit that claims or ends it has not settled. */
  pending: boolean;
}

export interface ServiceEntry {
  readonly id: string;
  read: Versioned<Service> | null;
  readonly queue: TaskLanes<OpenTask>;
  /** Running, or claimed by a commit that has not settled. */
  readonly running: Set<OpenTask>;
  /** Queued for longer than their start budget. */
  readonly overdue: Set<OpenTask>;
  readonly assignments: Set<AssignmentEntry>;
  /** What makes room for it, here and there. */
  readonly promised: Set<AssignmentEntry>;
  /** Of its runs; null where none has ended yet. */
  meanRunMs: number | null;
  /** Since when it has had nothing for want of room; monotonic, null where it wants none. */
  hungrySinceMs: number | null;
  /** Since when the deployment that is coming up is; monotonic. */
  nextSinceMs: number;
  /** A commit of the service's record has not settled. */
  pending: boolean;
}

export interface NodeEntry {
  readonly id: string;
  read: Versioned<Node> | null;
  linked: boolean;
  readonly assignments: Set<AssignmentEntry>;
  /** What shells hold here. */
  readonly shells: Set<ShellPlace>;
  /** What is built here. */
  readonly builds: Set<BuildPlace>;
  readonly running: Set<OpenTask>;
  /** Images, and lists of volumes, of what came up here lately. */
  readonly images: Set<string>;
  /** A commit of the node's record has not settled. */
  pending: boolean;
}

export interface ShellEntry {
  readonly id: string;
  read: Versioned<Shell> | null;
  /** One at most, but where two coordinators believed to lead. */
  readonly places: Set<ShellPlace>;
  /** A commit about it has not settled. */
  pending: boolean;
}

export interface BuildEntry {
  readonly id: string;
  read: Versioned<Build> | null;
  /** One at most, but where two coordinators believed to lead. */
  readonly places: Set<BuildPlace>;
  /** A commit about it has not settled. */
  pending: boolean;
}

/** An assignment of a build. */
export interface BuildPlace {
  readonly id: string;
  readonly build: BuildEntry;
  readonly node: NodeEntry;
  readonly value: BuildAssignment;
  /** Null while its creation has not settled. */
  read: Versioned<Assignment> | null;
}

/** An assignment of a shell. */
export interface ShellPlace {
  readonly id: string;
  readonly shell: ShellEntry;
  readonly node: NodeEntry;
  readonly value: ShellAssignment;
  /** Null while its creation has not settled. */
  read: Versioned<Assignment> | null;
  workload: Versioned<Workload> | null;
}

export interface AssignmentEntry {
  readonly id: string;
  readonly service: ServiceEntry;
  readonly node: NodeEntry;
  readonly value: DeploymentAssignment;
  /** Null while its creation has not settled. */
  read: Versioned<Assignment> | null;
  workload: Versioned<Workload> | null;
  readonly running: Set<OpenTask>;
  /** Since when the workload is in its phase; monotonic. */
  phaseSinceMs: number;
  /** Since when nothing runs on it; monotonic. */
  idleSinceMs: number;
  /** An attempt ended on it, so it did come up. */
  served: boolean;
  /** It gets no more tasks, to make room. */
  retiring: boolean;
  /** For whom it makes room, where that is another service. */
  yieldsTo: ServiceEntry | null;
  /** A commit that removes it has not settled. */
  removing: boolean;
}

export function serviceEntry(id: string): ServiceEntry {
  return {
    id,
    read: null,
    queue: new TaskLanes(),
    running: new Set(),
    overdue: new Set(),
    assignments: new Set(),
    promised: new Set(),
    meanRunMs: null,
    hungrySinceMs: null,
    nextSinceMs: 0,
    pending: false,
  };
}

export function nodeEntry(id: string): NodeEntry {
  return {
    id,
    read: null,
    linked: false,
    assignments: new Set(),
    shells: new Set(),
    builds: new Set(),
    running: new Set(),
    images: new Set(),
    pending: false,
  };
}

export function assignmentEntry(
  value: DeploymentAssignment,
  service: ServiceEntry,
  node: NodeEntry,
  nowMs: number,
): AssignmentEntry {
  return {
    id: value.id,
    service,
    node,
    value,
    read: null,
    workload: null,
    running: new Set(),
    phaseSinceMs: nowMs,
    idleSinceMs: nowMs,
    served: false,
    retiring: false,
    yieldsTo: null,
    removing: false,
  };
}

/** Whether the workload is up or on its way, on a node that works. */
export function isAlive(entry: AssignmentEntry): boolean {
  const phase = entry.workload?.value.phase;
  return !entry.removing && phase !== "failed" && phase !== "stopped" && entry.node.read?.value.state === "ready";
}

/** What the service has, or is getting, of the deployment. */
export function aliveOf(service: ServiceEntry, { id }: Pick<Deployment, "id">): AssignmentEntry[] {
  return [...service.assignments].filter(
    (entry) => entry.value.workload.deploymentId === id && isAlive(entry) && !entry.retiring,
  );
}

/** Whether its node has quarantined one of its GPUs. */
export function hasIllGpu({ node, value }: Pick<AssignmentEntry, "node" | "value">): boolean {
  if (value.gpuUuids.length === 0) return false;
  const gpus = node.read?.value.inventory.gpus ?? [];
  return gpus.some((gpu) => gpu.unhealthyReason !== null && value.gpuUuids.includes(gpu.uuid));
}

/** Whether the workload may be given tasks. */
export function isServing(entry: AssignmentEntry): boolean {
  return (
    entry.workload?.value.phase === "ready" &&
    entry.read !== null &&
    entry.node.linked &&
    !entry.retiring &&
    isAlive(entry) &&
    !hasIllGpu(entry) &&
    entry.value.workload.deploymentId === entry.service.read?.value.currentDeploymentId
  );
}
