/** The step of a turn that writes assignments and removes them. */
import { newId } from "@elastic/std/ids.ts";
import type { DeploymentAssignment } from "../../domain/assignment.ts";
import { type Deployment, slotsOf } from "../../domain/deployment.ts";
import { create, remove, unchanged } from "../../store/change.ts";
import type { Change } from "../../store/store.ts";
import type { Choice } from "../decide/choose-node.ts";
import { decidePlacement, type PlacementStep } from "../decide/decide-placement.ts";
import type { AssignmentEntry, ServiceEntry } from "../decide/entries.ts";
import { takeTurns } from "../decide/take-turns.ts";
import type { TurnContext } from "./turn-context.ts";

export function commitPlacements(context: TurnContext, services: Iterable<ServiceEntry>): void {
  const { view, clock, isolation } = context;
  // Most have nothing to do, and need no order.
  const open: ServiceEntry[] = [];
  isolation.each("service", services, (service) => {
    if (!service.pending && nextStep(context, service) !== null) open.push(service);
  });
  if (open.length === 0) return;
  takeTurns(open, view.usage, clock.monotonicMs(), {
    step: (service) => isolation.run("service", service.id, () => takeStep(context, service), false),
    postpone: (service) => view.services.touch(service),
  });
}

/** Whether there may be more to do. */
function takeStep(context: TurnContext, service: ServiceEntry): boolean {
  const step = nextStep(context, service);
  if (step !== null) take(context, service, step);
  return step !== null;
}

type Step = Exclude<PlacementStep, { kind: "no_op" }>;

/** Null for a service that rests. */
function nextStep({ view, clock }: TurnContext, service: ServiceEntry): Step | null {
  const nowMs = clock.monotonicMs();
  const step = decidePlacement(view, service, { now: clock.now(), nowMs });
  if (step.kind !== "no_op") return step;
  view.services.setUnschedulable(service, step.unschedulable, nowMs);
  return null;
}

function take(context: TurnContext, service: ServiceEntry, step: Step): void {
  const { view, clock } = context;
  switch (step.kind) {
    case "assign":
      commitAssignment(context, service, step.deployment, step.to);
      break;
    case "retire":
      step.assignment.retiring = true;
      if (step.assignment.service !== service) view.services.preempt(step.assignment, service);
      view.services.touch(step.assignment.service);
      break;
    case "give_up":
      view.assignments.noteStartFailure(step.assignment, step.failure, clock.monotonicMs());
      commitRemoval(context, step.assignment);
      break;
    case "remove":
      if (step.assignment.service !== service) view.services.preempt(step.assignment, service);
      commitRemoval(context, step.assignment);
      break;
  }
}

function commitAssignment(context: TurnContext, service: ServiceEntry, deployment: Deployment, to: Choice): void {
  const { view, committer, clock, log } = context;
  const assignment: DeploymentAssignment = {
    id: newId(clock.now()),
    nodeId: to.nodeId,
    teamId: deployment.teamId,
    slots: slotsOf(deployment),
    gpuUuids: to.gpuUuids,
    createdAt: clock.now(),
    workload: { kind: "deployment", deploymentId: deployment.id, serviceId: service.id },
  };
  const planned = view.assignments.plan(assignment, clock.monotonicMs());
  // A service that was deleted meanwhile, or wants another deployment, gets nothing any more.
  const changes: Change[] = [create("assignments", assignment)];
  if (service.read !== null) changes.push(unchanged("services", service.read));
  planned.creating = true;
  const settled = () => {
    planned.creating = false;
    if (planned.removing) commitRemoval(context, planned);
  };
  committer.commit(changes, {
    committed: () => {
      log.info({ assignmentId: assignment.id, serviceId: service.id, ...to }, "placed a workload");
      settled();
    },
    refused: () => {
      settled();
      view.assignments.unplan(planned, clock.monotonicMs());
      view.services.touch(service);
    },
  });
}

function commitRemoval(context: TurnContext, entry: AssignmentEntry): void {
  const { view, committer, log } = context;
  const { read, workload } = entry;
  if (read === null) return;
  entry.removing = true;
  // A commit whose response was lost is sent again: it would create once more what was removed meanwhile.
  if (entry.creating) return;
  committer.commit([remove("assignments", read), ...removalOf(workload)], {
    committed: () => log.info({ assignmentId: entry.id, serviceId: entry.service.id }, "removed a workload"),
    refused: () => {
      entry.removing = false;
      view.services.cancelPreemption(entry);
      view.services.touch(entry.service);
    },
  });
}

function removalOf(workload: AssignmentEntry["workload"]): Change[] {
  return workload === null ? [] : [remove("workloads", workload)];
}
