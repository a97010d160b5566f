/** The step of a turn that ends open tasks: budgets that ran out, services that are gone or do not start, lost nodes. */
import type { Instant } from "@elastic/std/clock.ts";
import { traceFields } from "@elastic/std/tracing/trace-context.ts";
import { afterLostNode } from "../../domain/retry.ts";
import { isTerminal, type Task } from "../../domain/task.ts";
import { endSpan } from "../../domain/task-span.ts";
import { taskChanges } from "../../store/task-end.ts";
import { cancelWithService, expireQueued, failStranded, overrun } from "../decide/end-open-task.ts";
import type { OpenTask, ServiceEntry } from "../decide/entries.ts";
import { isServing } from "../decide/usable-workloads.ts";
import type { TurnContext } from "./turn-context.ts";

/** The rest comes with the next turn, so that dispatching never waits for a mass of ends. */
const ENDS_A_TURN_MAX = 500;

/** Whether there is more to end at once. */
export function commitTaskEnds(context: TurnContext, services: Iterable<ServiceEntry>): boolean {
  const { view, clock, isolation } = context;
  const due = view.tasks.deadlines.takeDue(clock.monotonicMs(), ENDS_A_TURN_MAX);
  for (const task of due) {
    const isDecided = isolation.run("service", task.service.id, () => atDeadline(context, task), false);
    if (!isDecided) view.tasks.deadlines.set(task, clock.monotonicMs() + RECHECK_MS);
  }
  let left = ENDS_A_TURN_MAX - due.length;
  for (const node of view.nodes.dead) left -= endEach(context, node.running, left, afterLostNode);
  isolation.each("service", services, (service) => {
    if (service.read?.value.state.kind === "deleted") {
      left -= endEach(context, service.queue, left, cancelWithService);
      left -= endEach(context, service.running, left, cancelWithService);
    } else {
      left -= endStranded(context, service, left);
    }
  });
  if (left <= 0) for (const service of services) view.services.touch(service);
  return left <= 0;
}

/** Returns true once it is decided. */
function atDeadline(context: TurnContext, task: OpenTask): true {
  const { view, clock } = context;
  const { phase, budgets } = task.read.value;
  if (task.pending) return true;
  if (phase.kind === "running") {
    // While nobody can reach the node the agent's own limit stands; whether the node is lost is decided apart.
    if (task.node?.linked) commitEnd(context, task, overrun);
    else view.tasks.deadlines.set(task, clock.monotonicMs() + RECHECK_MS);
  } else if (task.service.overdue.has(task.id) || budgets.queueMs <= budgets.startMs) {
    commitEnd(context, task, expireQueued);
  } else {
    view.tasks.passStartBudget(task, clock.monotonicMs());
  }
  return true;
}

const RECHECK_MS = 5_000;

/** Ends the tasks that waited past their start budget, if no workload is up and the last one failed to start. */
function endStranded(context: TurnContext, service: ServiceEntry, max: number): number {
  if (service.overdue.size === 0) return 0;
  const deploymentId = service.read?.value.currentDeploymentId;
  const failures = deploymentId ? context.view.failuresOf(deploymentId) : null;
  if (failures === null || [...service.assignments].some(isServing)) return 0;
  return endEach(context, service.overdue, max, (task, now) => failStranded(task, failures.last, now));
}

function endEach(
  context: TurnContext,
  tasks: Iterable<OpenTask>,
  max: number,
  ending: (task: Task, now: Instant) => Task,
): number {
  const chosen: OpenTask[] = [];
  for (const task of tasks) {
    if (chosen.length >= max) break;
    if (!task.pending) chosen.push(task);
  }
  for (const task of chosen) {
    context.isolation.run("service", task.service.id, () => commitEnd(context, task, ending), undefined);
  }
  return chosen.length;
}

function commitEnd(context: TurnContext, task: OpenTask, ending: (task: Task, now: Instant) => Task): void {
  const { view, store, committer, clock, log, metrics } = context;
  const { read } = task;
  const now = clock.now();
  const after = ending(read.value, now);
  view.tasks.holdForEnd(task);
  committer.commit(taskChanges(store.view, read, after), {
    committed: () => {
      countEnd(context, after);
      metrics.tracing.record(after.traceparent, endSpan(after, now, clock.now()));
      const { requestId, traceparent } = read.value;
      const about = { taskId: task.id, requestId, ...traceFields(traceparent) };
      log.info({ ...about, phase: after.phase }, "ended an attempt or a task");
    },
    refused: () => view.tasks.release(task, read, clock.monotonicMs()),
  });
}

function countEnd({ metrics }: TurnContext, task: Task): void {
  const { phase } = task;
  if (phase.kind === "queued") metrics.tasks.requeued(phase.lastFailure?.reason ?? "internal");
  if (!isTerminal(phase)) return;
  const reason = phase.kind === "succeeded" ? null : phase.failure.reason;
  metrics.tasks.ended(phase.kind, reason, phase.finishedAt - task.createdAt);
}
