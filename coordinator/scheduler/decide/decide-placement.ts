/**
 * Which workloads a service shall have: one step at a time, until nothing is left to do. Pure.
 *
 * The deployment coming up gets its first workloads while the current one serves; the current one gets as many as
 * its open tasks need (wanted-workloads.ts). What is no longer wanted ends once nothing runs on it.
 */
import type { WorkloadFailure } from "../../domain/assignment.ts";
import type { Deployment } from "../../domain/deployment.ts";
import { type Choice, chooseNode } from "./choose-node.ts";
import type { AssignmentEntry, ServiceEntry } from "./entries.ts";
import { makeRoom, type RoomView } from "./make-room.ts";
import type { StartFailures } from "./start-failures.ts";
import { aliveOf, hasIllGpu, isAlive, isServing } from "./usable-workloads.ts";
import { wantedWorkloads } from "./wanted-workloads.ts";

/** How long the assignments of a lost node wait for its return. */
export const LOST_ASSIGNMENT_WAIT_MS = 60_000;
const START_GRACE_MS = 60_000;

export interface PlacementView extends RoomView {
  /** Whether a record is there and cannot be read: nothing is known of it, and least that it has ended. */
  isUnreadable(kind: "nodes" | "workloads" | "deployments" | "shells" | "builds", id: string): boolean;
  failuresOf(deploymentId: string): StartFailures | null;
}

export type PlacementStep =
  | { readonly kind: "assign"; readonly deployment: Deployment; readonly to: Choice }
  | { readonly kind: "remove"; readonly assignment: AssignmentEntry }
  /** It never came up, and its agent does not say so. */
  | { readonly kind: "give_up"; readonly assignment: AssignmentEntry; readonly failure: WorkloadFailure }
  /** It gets no further tasks, so that it can make room. */
  | { readonly kind: "retire"; readonly assignment: AssignmentEntry }
  /** Nothing to do, or nothing more that there is room for. */
  | { readonly kind: "no_op"; readonly unschedulable: boolean };

/** `now` is the wall clock, for stamps of records; `nowMs` is monotonic. */
export interface Times {
  readonly now: number;
  readonly nowMs: number;
}

export function decidePlacement(view: PlacementView, service: ServiceEntry, times: Times): PlacementStep {
  for (const entry of service.assignments) {
    if (entry.removing || isInDoubt(view, entry)) continue;
    if (mayEnd(view, entry, times)) return { kind: "remove", assignment: entry };
    const failure = neverCameUp(view, entry, times);
    if (failure !== null) return { kind: "give_up", assignment: entry, failure };
  }
  const record = service.read?.value;
  const next = deploymentOf(view, record?.nextDeploymentId);
  const current = deploymentOf(view, record?.currentDeploymentId);
  const wanted = current === null ? 0 : wantedOf(service, current, times.now);
  const wishes = [
    ...(next === null ? [] : [{ deployment: next, wanted: Math.max(1, next.scaling.min) }]),
    ...(current === null ? [] : [{ deployment: current, wanted }]),
  ];
  let unschedulable = false;
  for (const wish of wishes) {
    const { deployment } = wish;
    if (aliveOf(service, deployment).length >= wish.wanted || backsOff(view, deployment, times)) continue;
    const step = assignOrMakeRoom(view, service, deployment, times.nowMs);
    if (step !== null) return step;
    unschedulable = true;
  }
  const idle = current === null ? null : longestIdle(service, current, wanted, times);
  return idle === null ? { kind: "no_op", unschedulable } : { kind: "remove", assignment: idle };
}

function wantedOf(service: ServiceEntry, deployment: Deployment, now: number): number {
  const { queue, meanRunMs } = service;
  if (deployment.scaling.min === deployment.scaling.max) return deployment.scaling.min;
  const load = { open: queue.size + runningTasks(service), serving: 0, meanRunMs, waitedMs: 0 };
  const first = queue.size === 0 ? undefined : queue.first()?.read.value.phase;
  if (first?.kind === "queued") {
    load.waitedMs = Math.max(0, now - first.since);
    for (const entry of service.assignments) if (isServing(entry)) load.serving++;
  }
  return wantedWorkloads(load, deployment);
}

/** Without those that a deployment proves before it serves: they need no workload of the current one. */
function runningTasks({ read, running }: ServiceEntry): number {
  if (read?.value.nextDeploymentId === null) return running.size;
  return [...running].filter((task) => task.read.value.canaryOf === undefined).length;
}

function isInDoubt(view: PlacementView, { id, node }: AssignmentEntry): boolean {
  return view.isUnreadable("nodes", node.id) || view.isUnreadable("workloads", id);
}

/** Whether the assignment has no reason to stand, or waits to be tried again elsewhere. */
function mayEnd(view: PlacementView, entry: AssignmentEntry, times: Times): boolean {
  const record = entry.service.read?.value;
  const node = entry.node.read?.value;
  const { deploymentId } = entry.value.workload;
  const phase = entry.workload?.value.phase;
  if (record === undefined || record.state.kind === "deleted") return true;
  if (node === undefined || node.state === "gone") return true;
  if (node.state === "lost") return times.now - node.since > LOST_ASSIGNMENT_WAIT_MS;
  if (phase === "stopped") return true;
  if (phase === "failed") return times.nowMs >= (view.failuresOf(deploymentId)?.retryAtMs ?? 0) || !isWanted(entry);
  if (entry.running.size > 0) return false;
  return !isWanted(entry) || entry.retiring || node.state === "draining" || hasIllGpu(entry);
}

/** The agent ends a start that takes too long; this is for the one that does not. */
function neverCameUp(view: PlacementView, entry: AssignmentEntry, { nowMs }: Times): WorkloadFailure | null {
  const startMs = view.deployments.get(entry.value.workload.deploymentId)?.limits.budgets.startMs;
  if (startMs === undefined || entry.workload?.value.phase === "ready" || !entry.node.linked) return null;
  if (!isAlive(entry) || nowMs - entry.phaseSinceMs <= startMs + START_GRACE_MS) return null;
  const message = `the workload did not come up within ${startMs / 1000} s and its agent did not say why`;
  const step = entry.workload?.value.step ?? null;
  return { step, reason: "start_timeout", message, exitCode: null, logTail: "" };
}

function isWanted({ service, value }: AssignmentEntry): boolean {
  const record = service.read?.value;
  const { deploymentId } = value.workload;
  return deploymentId === record?.currentDeploymentId || deploymentId === record?.nextDeploymentId;
}

function backsOff(view: PlacementView, deployment: Deployment, { nowMs }: Times): boolean {
  return nowMs < (view.failuresOf(deployment.id)?.retryAtMs ?? 0);
}

function assignOrMakeRoom(
  view: PlacementView,
  service: ServiceEntry,
  deployment: Deployment,
  nowMs: number,
): PlacementStep | null {
  const to = chooseNode(deployment, view, view.failuresOf(deployment.id)?.nodeIds ?? new Set());
  return to === null ? makeRoom(view, service, deployment, nowMs) : { kind: "assign", deployment, to };
}

/** The workload that is the longest without work, once there are more than wanted and it is idle long enough. */
function longestIdle(
  service: ServiceEntry,
  deployment: Deployment,
  wanted: number,
  { nowMs }: Times,
): AssignmentEntry | null {
  const alive = aliveOf(service, deployment);
  if (alive.length <= wanted) return null;
  const idle = alive
    .filter((entry) => entry.running.size === 0 && entry.workload?.value.phase === "ready")
    .filter((entry) => nowMs - entry.idleSinceMs >= deployment.scaling.idleTimeoutMs)
    .toSorted((a, b) => a.idleSinceMs - b.idleSinceMs);
  return idle[0] ?? null;
}

function deploymentOf(view: PlacementView, id: string | null | undefined): Deployment | null {
  return (id && view.deployments.get(id)) || null;
}
