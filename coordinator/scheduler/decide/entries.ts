/**
 * What decisions read: each record of a service, node, assignment or open task with what belongs to it, so that a
 * decision never searches. Only the tables of the scheduler's view change them, and the flags of what is being committed.
 */
import type {
  Assignment,
  BuildAssignment,
  DeploymentAssignment,
  ShellAssignment,
  Workload,
} from "../../domain/assignment.ts";
import type { Build } from "../../domain/build.ts";
import type { Node } from "../../domain/node.ts";
import type { Service } from "../../domain/service.ts";
import type { Shell } from "../../domain/shell.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { ServiceQueue } from "./service-queue.ts";
import type { TaskLane } from "./task-lane.ts";

export interface OpenTask {
  readonly id: string;
  readonly service: ServiceEntry;
  read: Versioned<Task>;
  /** When it is to be looked at by its record; monotonic. */
  dueAtMs: number;
  /** When it is looked at next, and its place among these: deadlines.ts. */
  deadlineMs: number;
  deadlineAt: number;
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
  readonly queue: ServiceQueue<OpenTask>;
  /** Running, or claimed by a commit that has not settled. */
  readonly running: Set<OpenTask>;
  /** Queued for longer than their start budget. */
  readonly overdue: TaskLane<OpenTask>;
  readonly assignments: Set<AssignmentEntry>;
  /** What makes room for it, here and there. */
  readonly pendingPreemptions: Set<AssignmentEntry>;
  /** Of its runs; null where none has ended yet. */
  meanRunMs: number | null;
  /** Since when it has had nothing for want of room; monotonic, null where it wants none. */
  unschedulableSinceMs: number | null;
  /** Since when the deployment that is coming up is; monotonic. */
  nextSinceMs: number;
  /** A commit of the service's record has not settled. */
  pending: boolean;
}

export interface NodeEntry {
  readonly id: string;
  read: Versioned<Node> | null;
  linked: boolean;
  /** When its record showed the last hello, to whichever coordinator; monotonic, null before one. */
  greetedMs: number | null;
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
  /** It gets no further tasks, to make room. */
  retiring: boolean;
  /** For whom it makes room, where that is another service. */
  yieldsTo: ServiceEntry | null;
  /** A commit that creates it has not settled, though its record may be there. */
  creating: boolean;
  /** A commit that removes it has not settled, or waits for that which creates it. */
  removing: boolean;
}
