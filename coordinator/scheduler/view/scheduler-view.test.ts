import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import { afterLostNode } from "../../domain/retry.ts";
import { claim, end, type Task } from "../../domain/task.ts";
import { aNode, anAssignment, aReadyService, aTask, aWorkload } from "../../domain/testing/records.ts";
import { dispatch } from "../decide/dispatch.ts";
import type { OpenTask } from "../decide/entries.ts";
import { isServing } from "../decide/usable-workloads.ts";
import { versioned, viewOf } from "../testing/view-of.ts";
import type { SchedulerView } from "./scheduler-view.ts";

const { service, deployment } = aReadyService();
const assignment = anAssignment(deployment, "node-a");
const RUN_BACKSTOP_MS = 60_000 + 30_000 + 1;

function view(): SchedulerView {
  return viewOf({
    services: [service],
    deployments: [deployment],
    nodes: [aNode("node-a")],
    assignments: [assignment],
    workloads: [aWorkload(assignment)],
  });
}

function put(of: SchedulerView, task: Task, now = 0, nowMs = 0): OpenTask {
  of.putTask(task.id, versioned(task), now, nowMs);
  const open = of.tasks.get(task.id);
  if (open === undefined) throw new Error("the task is open");
  return open;
}

function on(of: SchedulerView) {
  const entry = of.assignments.get(assignment.id);
  if (entry === undefined) throw new Error("the assignment is in the view");
  return entry;
}

const running = (task: Task) => claim(task, { nodeId: "node-a", sessionId: "s", assignmentId: assignment.id }, 0);

test("a claim that has not settled holds its place, and gives it back when it does not hold", () => {
  const v = view();
  const task = put(v, aTask(service));
  const { read } = task;
  v.tasks.reserve(task, on(v));
  expect([v.tasks.queued, on(v).running.size, task.service.running.size]).toEqual([0, 1, 1]);
  v.tasks.release(task, read, 0);
  expect([v.tasks.queued, on(v).running.size, task.service.running.size]).toEqual([1, 0, 0]);
});

test("a claim that did not hold does not undo the one that was decided after it", () => {
  const v = view();
  const value = aTask(service);
  const task = put(v, value);
  const { read } = task;
  v.tasks.reserve(task, on(v));
  put(v, afterLostNode(running(value), 1));
  v.tasks.reserve(task, on(v));
  v.tasks.release(task, read, 0);
  expect([v.tasks.queued, on(v).running.size]).toEqual([0, 1]);
});

test("whatever becomes of a task, nothing of it is left behind", () => {
  const v = view();
  const first = aTask(service);
  put(v, first);
  put(v, running(first));
  put(v, afterLostNode(running(first), 1));
  put(v, running(afterLostNode(running(first), 1)));
  const failure = {
    reason: "cancelled",
    message: "",
    retryable: false,
    attempts: 2,
    exitCode: null,
    logTail: "",
  } as const;
  v.putTask(first.id, versioned(end(first, "cancelled", failure, null, 2)), 2, 2);
  expect(v.tasks.get(first.id)).toBeUndefined();
  expect(v.tasks.deadlines.size).toBe(0);
  expect([v.tasks.queued, on(v).running.size, v.nodes.get("node-a")?.running.size]).toEqual([0, 0, 0]);
  expect(v.services.get(service.id)?.running.size).toBe(0);
});

test("an assignment that is being created holds its room until it is refused", () => {
  const v = view();
  const planned = v.assignments.plan(anAssignment(deployment, "node-a", { id: newId(6) }), 0);
  expect(v.nodes.get("node-a")?.assignments.size).toBe(2);
  expect(isServing(planned)).toBe(false);
  v.assignments.unplan(planned, 0);
  expect(v.nodes.get("node-a")?.assignments.size).toBe(1);
});

test("only a workload that is ready on a linked, ready node serves, and only for the current deployment", () => {
  const v = view();
  expect(isServing(on(v))).toBe(true);
  v.putLink("node-a", false);
  expect(isServing(on(v))).toBe(false);
  v.putLink("node-a", true);
  v.putNode("node-a", versioned(aNode("node-a", { node: { state: "draining" } })), 0);
  expect(isServing(on(v))).toBe(false);
  v.putNode("node-a", versioned(aNode("node-a")), 0);
  v.putService(service.id, versioned({ ...service, currentDeploymentId: newId(99) }), 0);
  expect(isServing(on(v))).toBe(false);
});

test("a hundred thousand queued tasks are dispatched one wave after the other, in order, in linear time", () => {
  const v = view();
  const count = 100_000;
  for (let n = 0; n < count; n++) put(v, aTask(service, { id: newId(n) }));
  const entry = v.services.get(service.id);
  const offered = { nodeId: "node-a", running: 0, concurrency: 50, idleSinceMs: 0 };
  const started: OpenTask[] = [];
  const startMs = performance.now();
  while (entry !== undefined && entry.queue.size > 0) {
    for (const { task } of dispatch(entry.queue, [offered])) {
      v.tasks.reserve(task, on(v));
      started.push(task);
    }
  }
  // Well under a second when it is linear, an hour when each wave looks at all that wait.
  expect(performance.now() - startMs).toBeLessThan(10_000);
  expect(started).toHaveLength(count);
  expect(started.every((task, n) => n === 0 || task.id > (started[n - 1]?.id ?? ""))).toBe(true);
});

test("a queued task is looked at when its start budget is over, then when its queue budget is", () => {
  const v = view();
  const task = put(v, aTask(service), 1_000);
  expect(v.tasks.deadlines.takeDue(59_999, 9)).toEqual([]);
  expect(v.tasks.deadlines.takeDue(60_000, 9)).toEqual([task]);
  v.tasks.passStartBudget(task, 60_000);
  expect(v.tasks.deadlines.takeDue(3_599_999, 9)).toEqual([]);
  expect(v.tasks.deadlines.takeDue(3_600_000, 9)).toEqual([task]);
});

test("a running task is looked at when its run budget, a grace and the time for its input are over", () => {
  const v = view();
  const task = put(v, running(aTask(service)));
  expect(v.tasks.deadlines.takeDue(RUN_BACKSTOP_MS - 1, 9)).toEqual([]);
  expect(v.tasks.deadlines.takeDue(RUN_BACKSTOP_MS, 9)).toEqual([task]);
});

test("a wall clock that is far ahead or behind ends no task early by more than it stood, nor late", () => {
  const v = view();
  const behind = put(v, aTask(service, { createdAt: 10_000_000 }), 0);
  expect(v.tasks.deadlines.takeDue(59_999, 9)).toEqual([]);
  expect(v.tasks.deadlines.takeDue(60_000, 9)).toEqual([behind]);
});
