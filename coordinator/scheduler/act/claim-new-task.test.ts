import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test, vi } from "vitest";
import { GuardedClock } from "../../clocks/guarded-clock.ts";
import type { Reservation } from "../../domain/claim-at-creation.ts";
import type { Task } from "../../domain/task.ts";
import { aNode, anAssignment, aReadyService, aTask, aWorkload } from "../../domain/testing/records.ts";
import { createMetrics } from "../../metrics/metrics.ts";
import { memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import { type Records, versioned, viewOf } from "../testing/view-of.ts";
import type { SchedulerView } from "../view/scheduler-view.ts";
import { claimNewTask } from "./claim-new-task.ts";
import { Committer } from "./committer.ts";
import { Isolation } from "./isolation.ts";
import type { TurnContext } from "./turn-context.ts";

const EPOCH = 7;
const { service, deployment } = aReadyService({ limits: { concurrency: 2 } });
const assignment = anAssignment(deployment, "node-a");
const READY: Records = {
  services: [service],
  deployments: [deployment],
  nodes: [aNode("node-a")],
  assignments: [assignment],
  workloads: [aWorkload(assignment)],
};
const log = createLog({ name: "test", level: "silent" });
const store = await openStore({ kv: memoryKv(), clock: systemClock, log });

function contextOf(records: Records): TurnContext & { readonly wake: ReturnType<typeof vi.fn<() => void>> } {
  const wake = vi.fn<() => void>();
  const parts = { store, clock: new GuardedClock(systemClock), log, epoch: EPOCH, wake };
  const links = { of: () => null, subscribe: () => () => undefined };
  const committer = new Committer({ ...parts, conflicted: () => undefined });
  const metrics = createMetrics();
  const isolation = new Isolation({ ...parts, metrics });
  return { ...parts, links, metrics, view: viewOf(records), committer, isolation };
}

function runningOn(view: SchedulerView): number {
  return view.assignments.get(assignment.id)?.running.size ?? 0;
}

function mustReserve(context: TurnContext, task: Task): Reservation {
  const place = claimNewTask(context, task);
  if (place === null) throw new Error("there is room");
  return place;
}

test("a new task is claimed for a workload with room, under the leader's epoch", () => {
  const context = contextOf(READY);
  const task = aTask(service);
  const place = mustReserve(context, task);
  expect(place.epoch).toBe(EPOCH);
  expect(place.task).toMatchObject({
    id: task.id,
    attempts: { started: 1 },
    phase: { kind: "running", nodeId: "node-a", sessionId: "session-of-node-a", assignmentId: assignment.id },
  });
});

test("places that are given are held, so no more are given than there are", () => {
  const context = contextOf(READY);
  const places = [1, 2, 3].map(() => claimNewTask(context, aTask(service)));
  expect(places.map((place) => place !== null)).toEqual([true, true, false]);
});

test("a place that is released is free again, and whoever waits is looked for", () => {
  const context = contextOf(READY);
  const [first] = [mustReserve(context, aTask(service)), mustReserve(context, aTask(service))];
  context.view.services.takeDirty();
  first.release();
  expect([runningOn(context.view), context.view.tasks.get(first.task.id)]).toEqual([1, undefined]);
  expect([...context.view.services.takeDirty()].map(({ id }) => id)).toEqual([service.id]);
  expect(context.wake).toHaveBeenCalledOnce();
  expect(claimNewTask(context, aTask(service))).not.toBeNull();
});

test("the record confirms the place; a release that comes after it takes nothing away", () => {
  const context = contextOf(READY);
  const { view } = context;
  const place = mustReserve(context, aTask(service));
  view.putTask(place.task.id, versioned(place.task), 0, 0);
  place.confirm();
  expect([runningOn(view), view.nodes.get("node-a")?.running.size, view.tasks.deadlines.size]).toEqual([1, 1, 1]);
  place.release();
  expect(view.tasks.get(place.task.id)?.read.value).toEqual(place.task);
  expect(runningOn(view)).toBe(1);
});

test("a task that another coordinator queued first is not overtaken", () => {
  const context = contextOf({ ...READY, tasks: [aTask(service)] });
  expect(claimNewTask(context, aTask(service))).toBeNull();
});

test.each<[string, Records]>([
  ["of an unknown service", {}],
  ["whose workload is still coming up", { ...READY, workloads: [aWorkload(assignment, { phase: "starting" })] }],
  ["whose node has no link", { ...READY, unlinked: ["node-a"] }],
  ["whose node is being drained", { ...READY, nodes: [aNode("node-a", { node: { state: "draining" } })] }],
  ["whose workload is of a deployment before", { ...READY, services: [{ ...service, currentDeploymentId: "other" }] }],
])("a new task %s has to queue", (_which, records) => {
  expect(claimNewTask(contextOf(records), aTask(service))).toBeNull();
});
