/**
 * What the leader decides from: the records arranged so that each decision is found at once and, laid over
 * them, the decisions whose commits have not settled yet.
 *
 * Fed one record at a time by follow-store.ts. `nowMs` is monotonic, `now` the wall clock.
 */
import type { Instant } from "@elastic/std/clock.ts";
import {
  type Assignment,
  type DeploymentAssignment,
  isOfBuild,
  isOfDeployment,
  isOfShell,
  type Workload,
  type WorkloadFailure,
} from "../../domain/assignment.ts";
import type { Deployment } from "../../domain/deployment.ts";
import type { Node } from "../../domain/node.ts";
import type { Service } from "../../domain/service.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { attemptBudgetMs, firstQueueBudgetMs, remainingMs } from "../decide/budgets.ts";
import { thingsOf } from "../decide/choose-node.ts";
import type { AssignmentEntry, NodeEntry, OpenTask, ServiceEntry } from "../decide/entries.ts";
import { SlotUsage } from "../decide/slot-usage.ts";
import { afterStartFailure, type StartFailures } from "../decide/start-failures.ts";
import { isAlive } from "../decide/usable-workloads.ts";
import { meanRunAfter } from "../decide/wanted-workloads.ts";
import { BuildTable } from "./build-table.ts";
import { Deadlines } from "./deadlines.ts";
import { assignmentEntry, nodeEntry, serviceEntry } from "./new-entries.ts";
import { ShellTable } from "./shell-table.ts";

/** A workload that was up this long has come up for good. */
const SETTLED_MS = 10_000;
const IMAGES_REMEMBERED_MAX = 64;

export class SchedulerView {
  readonly services = new Map<string, ServiceEntry>();
  readonly nodes = new Map<string, NodeEntry>();
  /** Lost or gone: what runs there is to be ended. */
  readonly deadNodes = new Set<NodeEntry>();
  readonly deployments = new Map<string, Deployment>();
  readonly deadlines = new Deadlines<OpenTask>();
  readonly shells = new ShellTable();
  readonly builds = new BuildTable();
  readonly usage = new SlotUsage();
  readonly #tasks = new Map<string, OpenTask>();
  readonly #assignments = new Map<string, AssignmentEntry>();
  readonly #failures = new Map<string, StartFailures>();
  /** Services whose last placing left a wish open: looked at again when there is more room. */
  readonly #hungry = new Set<ServiceEntry>();
  #dirty = new Set<ServiceEntry>();
  #queued = 0;

  /** Tasks that wait, over all services. */
  get queued(): number {
    return this.#queued;
  }

  task(id: string): OpenTask | undefined {
    return this.#tasks.get(id);
  }

  assignment(id: string): AssignmentEntry | undefined {
    return this.#assignments.get(id);
  }

  failuresOf(deploymentId: string): StartFailures | null {
    return this.#failures.get(deploymentId) ?? null;
  }

  /** Services in which something changed since the last call. */
  takeDirty(): ReadonlySet<ServiceEntry> {
    const dirty = this.#dirty;
    this.#dirty = new Set();
    return dirty;
  }

  touch(service: ServiceEntry): void {
    this.#dirty.add(service);
  }

  /** Time passed: everything is looked at again. */
  touchAll(): void {
    for (const service of this.services.values()) this.#dirty.add(service);
    this.shells.touchAll();
    this.builds.touchAll();
  }

  isHungry(service: ServiceEntry): boolean {
    return this.#hungry.has(service);
  }

  setHungry(service: ServiceEntry, hungry: boolean, nowMs: number): void {
    if (hungry) {
      this.#hungry.add(service);
      // As long as it has something it only lacks more.
      if (service.hungrySinceMs === null || [...service.assignments].some(isAlive)) service.hungrySinceMs = nowMs;
    } else if (this.#hungry.delete(service)) {
      service.hungrySinceMs = null;
      for (const entry of service.promised) this.keep(entry);
    }
  }

  /** The workload makes room for the service. */
  promise(entry: AssignmentEntry, to: ServiceEntry): void {
    entry.yieldsTo = to;
    to.promised.add(entry);
  }

  /** It need not make room for another any more. */
  keep(entry: AssignmentEntry): void {
    if (entry.yieldsTo === null) return;
    entry.yieldsTo.promised.delete(entry);
    entry.yieldsTo = null;
    entry.retiring = false;
    this.#dirty.add(entry.service);
  }

  putService(id: string, read: Versioned<Service> | undefined, nowMs: number): void {
    const entry = this.#service(id);
    if (read?.value.nextDeploymentId !== entry.read?.value.nextDeploymentId) entry.nextSinceMs = nowMs;
    entry.read = read ?? null;
    entry.pending = false;
    this.#dirty.add(entry);
    if (read?.value.state.kind === "deleted") this.builds.touchAll();
  }

  putDeployment(id: string, read: Versioned<Deployment> | undefined): void {
    if (read === undefined) {
      this.deployments.delete(id);
      return;
    }
    this.deployments.set(id, read.value);
    this.#dirty.add(this.#service(read.value.serviceId));
  }

  putNode(id: string, read: Versioned<Node> | undefined): void {
    const entry = this.#node(id);
    entry.read = read ?? null;
    entry.pending = false;
    const state = read?.value.state;
    if (state === "ready" || state === "draining") this.deadNodes.delete(entry);
    else this.deadNodes.add(entry);
    this.#touchNode(entry);
  }

  putLink(nodeId: string, linked: boolean): void {
    const entry = this.#node(nodeId);
    if (entry.linked === linked) return;
    entry.linked = linked;
    this.#touchNode(entry);
  }

  /** `heldForMs`: how long it has stood already, where this is the first that is heard of it. */
  putAssignment(id: string, read: Versioned<Assignment> | undefined, nowMs: number, heldForMs = 0): void {
    const before = this.#assignments.get(id);
    if (read === undefined) this.usage.release(id, nowMs);
    else this.usage.hold(id, read.value, heldForMs, nowMs);
    if (read === undefined) {
      if (before !== undefined) this.#drop(before);
      else if (this.shells.removePlace(id) || this.builds.removePlace(id)) this.#touchHungry();
      return;
    }
    if (isOfShell(read.value)) {
      this.shells.putPlace(read, read.value, this.#node(read.value.nodeId));
      return;
    }
    if (isOfBuild(read.value)) {
      this.builds.putPlace(read, read.value, this.#node(read.value.nodeId));
      return;
    }
    if (!isOfDeployment(read.value)) return;
    const entry = before ?? this.plan(read.value, nowMs);
    entry.read = read;
    this.#dirty.add(entry.service);
  }

  putWorkload(id: string, read: Versioned<Workload> | undefined, nowMs: number): void {
    const entry = this.#assignments.get(id);
    if (entry === undefined) {
      this.shells.putWorkload(id, read);
      return;
    }
    const before = entry.workload?.value.phase;
    const after = read?.value.phase;
    entry.workload = read ?? null;
    this.#dirty.add(entry.service);
    if (after === before) return;
    const upMs = before === "ready" ? nowMs - entry.phaseSinceMs : 0;
    entry.phaseSinceMs = nowMs;
    entry.idleSinceMs = nowMs;
    if (after === "ready") this.#rememberThings(entry);
    if (after === "failed" && read?.value.failure) this.#failed(entry, read.value.failure, upMs, nowMs);
  }

  putTask(id: string, read: Versioned<Task> | undefined, now: Instant, nowMs: number): void {
    const before = this.#tasks.get(id);
    if (before !== undefined) this.#detach(before, nowMs);
    const kind = read?.value.phase.kind;
    if (kind === "succeeded") this.#learn(read?.value);
    if (read === undefined || (kind !== "queued" && kind !== "running")) {
      this.#tasks.delete(id);
      return;
    }
    const task = before ?? {
      id,
      service: this.#service(read.value.serviceId),
      read,
      on: null,
      node: null,
      pending: false,
    };
    task.read = read;
    this.#tasks.set(id, task);
    this.#attach(task, now, nowMs);
  }

  /** Lays a claim over the record: undone by `release`, or by the task's next record. */
  reserve(task: OpenTask, on: AssignmentEntry): void {
    this.#unqueue(task);
    task.pending = true;
    task.on = on;
    on.running.add(task);
    task.service.running.add(task);
  }

  /** A task that is being created as running holds its place already; its record confirms it. */
  admit(read: Versioned<Task>, on: AssignmentEntry): void {
    const { id, serviceId } = read.value;
    const task: OpenTask = { id, service: this.#service(serviceId), read, on: null, node: null, pending: false };
    this.#tasks.set(id, task);
    this.reserve(task, on);
  }

  /** The creation decided from `read` did not hold. */
  dismiss(read: Versioned<Task>, nowMs: number): void {
    const task = this.#tasks.get(read.value.id);
    if (task?.read !== read) return;
    this.#detach(task, nowMs);
    this.#tasks.delete(task.id);
  }

  /** Keeps other decisions away from a task that is being ended. */
  holdForEnd(task: OpenTask): void {
    this.#unqueue(task);
    this.deadlines.delete(task);
    task.pending = true;
  }

  /** What was decided from `read` does not hold: the task is as its record says. */
  release(task: OpenTask, read: Versioned<Task>, now: Instant, nowMs: number): void {
    if (!task.pending || task.read !== read || this.#tasks.get(task.id) !== task) return;
    this.#detach(task, nowMs);
    this.#attach(task, now, nowMs);
  }

  /** The task waited out its start budget; what is left of its queue budget comes next. */
  passStartBudget(task: OpenTask, nowMs: number): void {
    const { startMs, queueMs } = task.read.value.budgets;
    task.service.overdue.add(task);
    this.deadlines.set(task, nowMs + queueMs - startMs);
    this.#dirty.add(task.service);
  }

  /** An assignment that is being created holds its room already; its record confirms it. */
  plan(assignment: DeploymentAssignment, nowMs: number): AssignmentEntry {
    const service = this.#service(assignment.workload.serviceId);
    const node = this.#node(assignment.nodeId);
    const entry = assignmentEntry(assignment, service, node, nowMs);
    this.#assignments.set(assignment.id, entry);
    this.usage.hold(assignment.id, assignment, 0, nowMs);
    service.assignments.add(entry);
    service.hungrySinceMs = null;
    node.assignments.add(entry);
    this.#dirty.add(service);
    return entry;
  }

  /** The creation did not hold. */
  unplan(entry: AssignmentEntry, nowMs: number): void {
    if (entry.read !== null) return;
    this.usage.release(entry.id, nowMs);
    this.#drop(entry);
  }

  /** A workload that does not come up and does not say so has failed too. */
  noteStartFailure(entry: AssignmentEntry, failure: WorkloadFailure, nowMs: number): void {
    const { nodeId, workload } = entry.value;
    const { deploymentId } = workload;
    this.#failures.set(deploymentId, afterStartFailure(this.failuresOf(deploymentId), failure, nodeId, nowMs));
    this.#dirty.add(entry.service);
  }

  #failed(entry: AssignmentEntry, failure: WorkloadFailure, upMs: number, nowMs: number): void {
    if (entry.served || upMs >= SETTLED_MS) this.#failures.delete(entry.value.workload.deploymentId);
    else this.noteStartFailure(entry, failure, nowMs);
    this.#touchHungry();
  }

  #attach(task: OpenTask, now: Instant, nowMs: number): void {
    const { value } = task.read;
    if (value.phase.kind === "queued") {
      task.service.queue.add(task);
      this.#queued++;
      this.deadlines.set(task, nowMs + remainingMs(firstQueueBudgetMs(value), value.phase.since, now));
    } else if (value.phase.kind === "running") {
      task.on = this.#assignments.get(value.phase.assignmentId) ?? null;
      task.on?.running.add(task);
      task.node = this.#node(value.phase.nodeId);
      task.node.running.add(task);
      task.service.running.add(task);
      this.deadlines.set(task, nowMs + remainingMs(attemptBudgetMs(value), value.phase.since, now));
    }
    this.#dirty.add(task.service);
  }

  #detach(task: OpenTask, nowMs: number): void {
    this.#unqueue(task);
    this.deadlines.delete(task);
    task.service.running.delete(task);
    if (task.on !== null) {
      task.on.running.delete(task);
      task.on.idleSinceMs = nowMs;
      task.on.served ||= task.node !== null;
    }
    task.node?.running.delete(task);
    task.on = null;
    task.node = null;
    task.pending = false;
    this.#dirty.add(task.service);
  }

  #unqueue(task: OpenTask): void {
    if (!task.service.queue.has(task.id)) return;
    task.service.queue.remove(task.id);
    task.service.overdue.delete(task);
    this.#queued--;
  }

  #learn(task: Task | undefined): void {
    if (task?.phase.kind !== "succeeded") return;
    const service = this.services.get(task.serviceId);
    if (service === undefined) return;
    service.meanRunMs = meanRunAfter(service.meanRunMs, task.phase.finishedAt - task.phase.startedAt);
  }

  #drop(entry: AssignmentEntry): void {
    this.keep(entry);
    this.#assignments.delete(entry.id);
    entry.service.assignments.delete(entry);
    entry.node.assignments.delete(entry);
    for (const task of entry.running) task.on = null;
    this.#dirty.add(entry.service);
    this.#touchHungry();
  }

  #rememberThings(entry: AssignmentEntry): void {
    const deployment = this.deployments.get(entry.value.workload.deploymentId);
    const { images } = entry.node;
    for (const thing of deployment === undefined ? [] : thingsOf(deployment)) {
      images.delete(thing);
      images.add(thing);
    }
    for (const oldest of images) {
      if (images.size <= IMAGES_REMEMBERED_MAX) break;
      images.delete(oldest);
    }
  }

  #touchNode(node: NodeEntry): void {
    for (const entry of node.assignments) this.#dirty.add(entry.service);
    this.shells.touchAll();
    this.builds.touchAll();
    this.#touchHungry();
  }

  #touchHungry(): void {
    for (const service of this.#hungry) this.#dirty.add(service);
  }

  #service(id: string): ServiceEntry {
    let entry = this.services.get(id);
    if (entry === undefined) {
      entry = serviceEntry(id);
      this.services.set(id, entry);
    }
    return entry;
  }

  #node(id: string): NodeEntry {
    let entry = this.nodes.get(id);
    if (entry === undefined) {
      entry = nodeEntry(id);
      this.nodes.set(id, entry);
    }
    return entry;
  }
}
