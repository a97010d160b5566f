/** The steps of a turn that make deployments current or end them as failed, and record the events of their roll-outs. */
import { newId } from "@elastic/std/ids.ts";
import type { Deployment } from "../../domain/deployment.ts";
import { type RollOut, type RollOutEvent, rollOutEvent, withEvents } from "../../domain/roll-out.ts";
import { rolledOut, rollOutFailed } from "../../domain/service.ts";
import { needs, whyNowhere } from "../../domain/suitable-node.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, replace, unchanged } from "../../store/change.ts";
import { eventDeliveries } from "../../store/event-deliveries.ts";
import type { Change } from "../../store/store.ts";
import { canaryTask } from "../decide/canary-task.ts";
import type { AssignmentEntry, ServiceEntry } from "../decide/entries.ts";
import { type CanaryVerdict, judgeCanary } from "../decide/judge-canary.ts";
import { judgeRollOut, type Verdict } from "../decide/judge-roll-out.ts";
import { newEvents } from "../decide/roll-out-events.ts";
import type { TurnContext } from "./turn-context.ts";

export function commitRollOuts(context: TurnContext, services: Iterable<ServiceEntry>): void {
  context.isolation.each("service", services, (service) => rollOut(context, service));
}

/** After placing: says so at once of deployments that no node has room for. */
export function noteWaits(context: TurnContext, services: Iterable<ServiceEntry>): void {
  context.isolation.each("service", services, (service) => noteWait(context, service));
}

function rollOut(context: TurnContext, service: ServiceEntry): void {
  const { view, store, clock } = context;
  const next = nextOf(context, service);
  if (service.read === null || next === undefined) return;
  const known = store.view.rollOuts.get(next.id);
  const canary = (): CanaryVerdict =>
    next.canary === undefined || known === undefined
      ? { kind: "proved" }
      : judgeCanary(known.value, (id) => store.view.tasks.get(id)?.value);
  const verdict = judgeRollOut(service, next, view.failuresOf(next.id), clock.monotonicMs(), canary);
  const now = clock.now();
  const events = known === undefined ? [] : newEvents(known.value, service, now);
  if (verdict === null) {
    append(context, service, known, events);
    return;
  }
  if (verdict.kind === "prove") {
    prove(context, service, { next, known, events, on: verdict.on });
    return;
  }
  // Nothing is retried: the last event has the failure.
  const before = events.filter(({ stage }) => verdict.kind === "rolled_out" || stage !== "retrying");
  const after =
    verdict.kind === "rolled_out" ? rolledOut(service.read.value) : rollOutFailed(service.read.value, verdict.failure);
  const type = verdict.kind === "rolled_out" ? "deployment.ready" : "deployment.failed";
  const changes = [
    replace("services", service.read, after),
    ...withMore(known, [...before, lastEvent(verdict, now)]),
    ...eventDeliveries(store.view, service.id, { type, subjectId: next.id, createdAt: now }),
  ];
  commit(context, service, {
    changes,
    logged: { deploymentId: next.id, rollOut: verdict.kind, ...reasonsOf(verdict) },
  });
}

interface ToProve {
  readonly next: Deployment;
  readonly known: Versioned<RollOut> | undefined;
  readonly events: readonly RollOutEvent[];
  readonly on: AssignmentEntry;
}

/** Together with the event that names the task: whoever reads the one finds the other. */
function prove(context: TurnContext, service: ServiceEntry, { next, known, events, on }: ToProve): void {
  const now = context.clock.now();
  const { read } = service;
  if (read === null || known === undefined || next.canary === undefined) return;
  const task = canaryTask(read.value, next, next.canary, { id: newId(now), on, now });
  if (task === null) return;
  const note = `the input of task ${next.canary.taskId}`;
  const proving = rollOutEvent("proving", now, { assignmentId: on.id, taskId: task.id, note });
  const changes = [create("tasks", task), unchanged("services", read), ...withMore(known, [...events, proving])];
  commit(context, service, { changes, logged: { deploymentId: next.id, rollOut: "proving", taskId: task.id } });
}

function noteWait(context: TurnContext, service: ServiceEntry): void {
  const next = nextOf(context, service);
  if (next === undefined || !context.view.services.isUnschedulable(service)) return;
  const hasPlace = [...service.assignments].some((entry) => entry.value.workload.deploymentId === next.id);
  const backsOff = context.clock.monotonicMs() < (context.view.failuresOf(next.id)?.retryAtMs ?? 0);
  const known = context.store.view.rollOuts.get(next.id);
  if (hasPlace || backsOff || known?.value.events.at(-1)?.stage === "waiting") return;
  const nodes = [...context.view.nodes.values()].flatMap(({ read }) => (read === null ? [] : [read.value]));
  const nowhere = whyNowhere(next, nodes);
  const note = nowhere?.message ?? `no machine has room yet for ${needs(next)}`;
  append(context, service, known, [rollOutEvent("waiting", context.clock.now(), { note })]);
}

/** The deployment coming up, while nothing of the service is being written. */
function nextOf({ view }: TurnContext, { read, pending }: ServiceEntry) {
  if (pending || read === null || read.value.state.kind === "deleted") return undefined;
  const id = read.value.nextDeploymentId ?? "";
  // What it still has to prove is in the record of its roll-out.
  return view.isUnreadable("roll-outs", id) ? undefined : view.deployments.get(id);
}

function append(
  context: TurnContext,
  service: ServiceEntry,
  known: Versioned<RollOut> | undefined,
  events: readonly RollOutEvent[],
): void {
  const changes = withMore(known, events);
  if (changes.length > 0) commit(context, service, { changes, logged: null });
}

function withMore(known: Versioned<RollOut> | undefined, events: readonly RollOutEvent[]): Change[] {
  if (known === undefined) return [];
  const after = withEvents(known.value, events);
  return after.events.length === known.value.events.length ? [] : [replace("roll-outs", known, after)];
}

function lastEvent(verdict: Exclude<Verdict, { kind: "prove" }>, now: number): RollOutEvent {
  return verdict.kind === "rolled_out"
    ? rollOutEvent("ready", now)
    : rollOutEvent("failed", now, { failure: verdict.failure });
}

/** For the log: a message may quote what a prover wrote. */
function reasonsOf(verdict: Verdict): object {
  return verdict.kind === "failed" ? { step: verdict.failure.step, reason: verdict.failure.reason } : {};
}

interface Step {
  readonly changes: readonly Change[];
  /** What the log says of it; null for what is no decision. */
  readonly logged: object | null;
}

/** One at a time for a service, so that an end never meets an event that is still being written. */
function commit({ view, committer, log, wake }: TurnContext, service: ServiceEntry, { changes, logged }: Step): void {
  const { read } = service;
  service.pending = true;
  const settle = () => {
    if (service.read !== read) return;
    service.pending = false;
    view.services.touch(service);
  };
  committer.commit(changes, {
    committed: () => {
      if (logged !== null) log.info({ serviceId: service.id, ...logged }, "judged a deployment");
      settle();
      wake();
    },
    refused: settle,
  });
}
