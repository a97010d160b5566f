/** Entries of the scheduler's view of which nothing is known yet. */
import type { DeploymentAssignment } from "../../domain/assignment.ts";
import type { AssignmentEntry, NodeEntry, ServiceEntry } from "../decide/entries.ts";
import { ServiceQueue } from "../decide/service-queue.ts";
import { TaskLane } from "../decide/task-lane.ts";

export function serviceEntry(id: string): ServiceEntry {
  return {
    id,
    read: null,
    queue: new ServiceQueue(),
    running: new Set(),
    overdue: new TaskLane(),
    assignments: new Set(),
    pendingPreemptions: new Set(),
    meanRunMs: null,
    unschedulableSinceMs: null,
    nextSinceMs: 0,
    pending: false,
  };
}

export function nodeEntry(id: string): NodeEntry {
  return {
    id,
    read: null,
    linked: false,
    greetedMs: null,
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
    creating: false,
    removing: false,
  };
}
