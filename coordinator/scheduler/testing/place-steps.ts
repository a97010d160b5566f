/** The steps of placement as sentences, and the views that they are decided from. */
import { newId } from "@elastic/std/ids.ts";
import { slotsOf } from "../../domain/deployment.ts";
import type { Service } from "../../domain/service.ts";
import { aNode, anAssignment, aReadyService, aTask, aWorkload } from "../../domain/testing/records.ts";
import { decidePlacement } from "../decide/decide-placement.ts";
import type { ServiceEntry } from "../decide/entries.ts";
import type { SchedulerView } from "../view/scheduler-view.ts";
import { type Records, versioned, viewOf } from "./view-of.ts";

export function entryOf(view: SchedulerView, service: Pick<Service, "id">): ServiceEntry {
  const entry = view.services.get(service.id);
  if (entry === undefined) throw new Error("the service is not in the view");
  return entry;
}

/** Takes every step, as the loop would, and returns them as sentences. */
export function place(view: SchedulerView, service: Pick<Service, "id">, nowMs = 0): string[] {
  const said: string[] = [];
  const entry = entryOf(view, service);
  for (let taken = 0; taken < 100; taken++) {
    const step = decidePlacement(view, entry, { now: nowMs, nowMs });
    if (step.kind === "no_op") return step.unschedulable ? [...said, "unschedulable"] : said;
    if (step.kind === "assign") {
      const { nodeId, gpuUuids } = step.to;
      said.push(`assign to ${[nodeId, ...gpuUuids].join(" ")}`);
      view.assignments.plan(
        anAssignment(step.deployment, nodeId, { id: newId(9), slots: slotsOf(step.deployment), gpuUuids }),
        nowMs,
      );
    } else {
      said.push(`${step.kind} on ${step.assignment.node.id}`);
      if (step.kind === "retire") step.assignment.retiring = true;
      else step.assignment.removing = true;
    }
  }
  throw new Error("it does not come to rest");
}

/** A ready service with `up` workloads that are up on the nodes named. */
export function serving(
  up: readonly string[],
  given: Partial<Parameters<typeof aReadyService>[0]> = {},
  records: Records = {},
) {
  const { service, deployment } = aReadyService(given);
  const assignments = up.map((nodeId) => anAssignment(deployment, nodeId, { id: newId(7) }));
  const nodes = [...new Set(up)].map((nodeId) => aNode(nodeId));
  const view = viewOf({
    nodes,
    ...records,
    services: [service],
    deployments: [deployment, ...(records.deployments ?? [])],
    assignments,
    workloads: assignments.map((assignment) => aWorkload(assignment)),
  });
  return { view, service, deployment, assignments };
}

export function addTasks(view: SchedulerView, service: Pick<Service, "id">, count: number): void {
  for (let n = 0; n < count; n++) {
    const task = aTask(service, { id: newId(100 + n) });
    view.putTask(task.id, versioned(task), 0, 0);
  }
}

/** The steps for one service that wants a workload, among what is given. */
export function placed(given: Parameters<typeof aReadyService>[0], records: Records): string[] {
  const { service, deployment } = aReadyService({ scaling: { min: 1 }, ...given });
  return place(viewOf({ ...records, services: [service], deployments: [deployment] }), service);
}
