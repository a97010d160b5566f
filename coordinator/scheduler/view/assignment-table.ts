/**
 * The part of the scheduler's view that is about assignments of deployments and their workloads, those whose creation has
 * not settled included, and about the starts that failed.
 */
import type { Assignment, DeploymentAssignment, Workload, WorkloadFailure } from "../../domain/assignment.ts";
import type { Deployment } from "../../domain/deployment.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { thingsOf } from "../decide/choose-node.ts";
import type { AssignmentEntry } from "../decide/entries.ts";
import type { SlotUsage } from "../decide/slot-usage.ts";
import { afterStartFailure, type StartFailures } from "../decide/start-failures.ts";
import { assignmentEntry } from "./new-entries.ts";
import type { NodeTable } from "./node-table.ts";
import type { ServiceTable } from "./service-table.ts";

/** A workload that was up this long has come up for good. */
const SETTLED_MS = 10_000;
const IMAGES_REMEMBERED_MAX = 64;

/** What of the view changes with assignments. */
export interface Around {
  readonly services: ServiceTable;
  readonly nodes: NodeTable;
  readonly deployments: ReadonlyMap<string, Deployment>;
  readonly usage: SlotUsage;
}

export class AssignmentTable {
  readonly #entries = new Map<string, AssignmentEntry>();
  readonly #failures = new Map<string, StartFailures>();
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  get(id: string): AssignmentEntry | undefined {
    return this.#entries.get(id);
  }

  failuresOf(deploymentId: string): StartFailures | null {
    return this.#failures.get(deploymentId) ?? null;
  }

  put(read: Versioned<Assignment>, value: DeploymentAssignment, nowMs: number): void {
    const entry = this.#entries.get(value.id) ?? this.plan(value, nowMs);
    entry.read = read;
    this.#around.services.touch(entry.service);
  }

  /** Returns whether the assignment was a deployment's. */
  remove(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#drop(entry);
    return entry !== undefined;
  }

  /** Returns whether the assignment is a deployment's. */
  putWorkload(id: string, read: Versioned<Workload> | undefined, nowMs: number): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    const before = entry.workload?.value.phase;
    const after = read?.value.phase;
    entry.workload = read ?? null;
    this.#around.services.touch(entry.service);
    if (after === before) return true;
    const upMs = before === "ready" ? nowMs - entry.phaseSinceMs : 0;
    entry.phaseSinceMs = nowMs;
    entry.idleSinceMs = nowMs;
    if (after === "ready") this.#rememberThings(entry);
    if (after === "failed" && read?.value.failure) this.#failed(entry, read.value.failure, upMs, nowMs);
    return true;
  }

  /** An assignment that is being created holds its room already; its record confirms it. */
  plan(assignment: DeploymentAssignment, nowMs: number): AssignmentEntry {
    const { services, nodes, usage } = this.#around;
    const service = services.ensure(assignment.workload.serviceId);
    const node = nodes.ensure(assignment.nodeId);
    const entry = assignmentEntry(assignment, service, node, nowMs);
    this.#entries.set(assignment.id, entry);
    usage.hold(assignment.id, assignment, 0, nowMs);
    service.assignments.add(entry);
    service.unschedulableSinceMs = null;
    node.assignments.add(entry);
    services.touch(service);
    return entry;
  }

  /** The creation was refused. */
  unplan(entry: AssignmentEntry, nowMs: number): void {
    if (entry.read !== null) return;
    this.#around.usage.release(entry.id, nowMs);
    this.#drop(entry);
  }

  /** A workload that does not come up, and whose agent does not report it, has failed too. */
  noteStartFailure(entry: AssignmentEntry, failure: WorkloadFailure, nowMs: number): void {
    const { nodeId, workload } = entry.value;
    const { deploymentId } = workload;
    this.#failures.set(deploymentId, afterStartFailure(this.failuresOf(deploymentId), failure, nodeId, nowMs));
    this.#around.services.touch(entry.service);
  }

  #failed(entry: AssignmentEntry, failure: WorkloadFailure, upMs: number, nowMs: number): void {
    if (entry.served || upMs >= SETTLED_MS) this.#failures.delete(entry.value.workload.deploymentId);
    else this.noteStartFailure(entry, failure, nowMs);
    this.#around.services.touchUnschedulable();
  }

  #drop(entry: AssignmentEntry): void {
    const { services } = this.#around;
    services.cancelPreemption(entry);
    this.#entries.delete(entry.id);
    entry.service.assignments.delete(entry);
    entry.node.assignments.delete(entry);
    for (const task of entry.running) task.on = null;
    services.touch(entry.service);
    services.touchUnschedulable();
  }

  #rememberThings(entry: AssignmentEntry): void {
    const deployment = this.#around.deployments.get(entry.value.workload.deploymentId);
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
}
