/**
 * What the leader decides from: the records arranged so that each decision is found at once and, laid over
 * them, the decisions whose commits have not settled yet. One table for each kind of record.
 *
 * Fed one record at a time by follow-store.ts. `nowMs` is monotonic, `now` the wall clock.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type Assignment, isOfBuild, isOfDeployment, isOfShell, type Workload } from "../../domain/assignment.ts";
import type { Deployment } from "../../domain/deployment.ts";
import type { Node } from "../../domain/node.ts";
import type { Service } from "../../domain/service.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { View } from "../../store/store.ts";
import type { NodeEntry } from "../decide/entries.ts";
import { SlotUsage } from "../decide/slot-usage.ts";
import type { StartFailures } from "../decide/start-failures.ts";
import { AssignmentTable } from "./assignment-table.ts";
import { BuildTable } from "./build-table.ts";
import { NodeTable } from "./node-table.ts";
import { ServiceTable } from "./service-table.ts";
import { ShellTable } from "./shell-table.ts";
import { TaskTable } from "./task-table.ts";

type Readable = Pick<View, "isUnreadable">;

const ALL_READABLE: Readable = { isUnreadable: () => false };

export class SchedulerView {
  readonly services = new ServiceTable();
  readonly nodes = new NodeTable();
  readonly assignments: AssignmentTable;
  readonly tasks: TaskTable;
  readonly shells = new ShellTable();
  readonly builds = new BuildTable();
  readonly usage = new SlotUsage();
  readonly #deployments = new Map<string, Deployment>();
  readonly deployments: ReadonlyMap<string, Deployment> = this.#deployments;

  readonly #records: Readable;

  /** `records`: which of them are there and cannot be read. */
  constructor(records: Readable = ALL_READABLE) {
    this.#records = records;
    this.assignments = new AssignmentTable(this);
    this.tasks = new TaskTable(this);
  }

  isUnreadable(...record: Parameters<View["isUnreadable"]>): boolean {
    return this.#records.isUnreadable(...record);
  }

  failuresOf(deploymentId: string): StartFailures | null {
    return this.assignments.failuresOf(deploymentId);
  }

  /** Time passed: everything is looked at again. */
  touchAll(): void {
    this.services.touchAll();
    this.shells.touchAll();
    this.builds.touchAll();
  }

  putService(id: string, read: Versioned<Service> | undefined, nowMs: number): void {
    this.services.put(id, read, nowMs);
    if (read?.value.state.kind === "deleted") this.builds.touchAll();
  }

  putDeployment(id: string, read: Versioned<Deployment> | undefined): void {
    if (read === undefined) {
      this.#deployments.delete(id);
      return;
    }
    this.#deployments.set(id, read.value);
    this.services.touch(this.services.ensure(read.value.serviceId));
  }

  putNode(id: string, read: Versioned<Node> | undefined, nowMs: number): void {
    this.#touchNode(this.nodes.put(id, read, nowMs, this.isUnreadable("nodes", id)));
  }

  putLink(nodeId: string, linked: boolean): void {
    const changed = this.nodes.putLink(nodeId, linked);
    if (changed !== null) this.#touchNode(changed);
  }

  /** `heldForMs`: how long it has stood already, where it was not in the view before. */
  putAssignment(id: string, read: Versioned<Assignment> | undefined, nowMs: number, heldForMs = 0): void {
    if (read === undefined) {
      this.usage.release(id, nowMs);
      if (this.assignments.remove(id)) return;
      if (this.shells.removePlace(id) || this.builds.removePlace(id)) this.services.touchUnschedulable();
      return;
    }
    const { value } = read;
    this.usage.hold(id, value, heldForMs, nowMs);
    if (isOfShell(value)) this.shells.putPlace(read, value, this.nodes.ensure(value.nodeId));
    else if (isOfBuild(value)) this.builds.putPlace(read, value, this.nodes.ensure(value.nodeId));
    else if (isOfDeployment(value)) this.assignments.put(read, value, nowMs);
  }

  putWorkload(id: string, read: Versioned<Workload> | undefined, nowMs: number): void {
    if (!this.assignments.putWorkload(id, read, nowMs)) this.shells.putWorkload(id, read);
  }

  /** `leastMs`: in which it may be due at the earliest. */
  putTask(id: string, read: Versioned<Task> | undefined, now: Instant, nowMs: number, leastMs = 0): void {
    this.tasks.put(id, read, now, nowMs, leastMs);
  }

  #touchNode(node: NodeEntry): void {
    for (const entry of node.assignments) this.services.touch(entry.service);
    this.shells.touchAll();
    this.builds.touchAll();
    this.services.touchUnschedulable();
  }
}
