/** A scheduler's view made of records, for tests of what is decided from it. */
import type { Assignment, Workload } from "../../domain/assignment.ts";
import type { Deployment } from "../../domain/deployment.ts";
import type { Node } from "../../domain/node.ts";
import type { Service } from "../../domain/service.ts";
import type { Shell } from "../../domain/shell.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { SchedulerView } from "../view/scheduler-view.ts";

export interface Records {
  readonly services?: readonly Service[];
  readonly deployments?: readonly Deployment[];
  /** Linked unless named in `unlinked`. */
  readonly nodes?: readonly Node[];
  readonly unlinked?: readonly string[];
  readonly shells?: readonly Shell[];
  readonly assignments?: readonly Assignment[];
  readonly workloads?: readonly Workload[];
  readonly tasks?: readonly Task[];
}

let revisions = 0;

export function versioned<T>(value: T): Versioned<T> {
  return { value, revision: ++revisions };
}

/** Everything is put at time 0 of both clocks. */
export function viewOf(records: Records): SchedulerView {
  const view = new SchedulerView();
  for (const deployment of records.deployments ?? []) view.putDeployment(deployment.id, versioned(deployment));
  for (const service of records.services ?? []) view.putService(service.id, versioned(service), 0);
  for (const node of records.nodes ?? []) {
    view.putNode(node.id, versioned(node), 0);
    view.putLink(node.id, !records.unlinked?.includes(node.id));
  }
  for (const shell of records.shells ?? []) view.shells.put(shell.id, versioned(shell));
  for (const assignment of records.assignments ?? []) view.putAssignment(assignment.id, versioned(assignment), 0);
  for (const workload of records.workloads ?? []) view.putWorkload(workload.assignmentId, versioned(workload), 0);
  for (const task of records.tasks ?? []) view.putTask(task.id, versioned(task), 0, 0);
  return view;
}
