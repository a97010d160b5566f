/**
 * The part of the scheduler's view that is about open tasks: where each waits or runs, claims that have not settled
 * included, and when it is looked at next.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { IdMap } from "@elastic/std/id-map.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { firstRemainingMs } from "../decide/budgets.ts";
import type { AssignmentEntry, OpenTask } from "../decide/entries.ts";
import type { AssignmentTable } from "./assignment-table.ts";
import { Deadlines, NO_DEADLINE } from "./deadlines.ts";
import type { NodeTable } from "./node-table.ts";
import type { ServiceTable } from "./service-table.ts";

/** What tasks belong to. */
export interface Owners {
  readonly services: ServiceTable;
  readonly nodes: NodeTable;
  readonly assignments: AssignmentTable;
}

export class TaskTable {
  readonly deadlines = new Deadlines<OpenTask>();
  readonly #entries = new IdMap<OpenTask>();
  readonly #owners: Owners;
  #queued = 0;

  constructor(owners: Owners) {
    this.#owners = owners;
  }

  /** Tasks that wait, over all services. */
  get queued(): number {
    return this.#queued;
  }

  get(id: string): OpenTask | undefined {
    return this.#entries.get(id);
  }

  /** `leastMs`: in which it may be due at the earliest. */
  put(id: string, read: Versioned<Task> | undefined, now: Instant, nowMs: number, leastMs = 0): void {
    const before = this.#entries.get(id);
    if (before !== undefined) this.#detach(before, nowMs);
    const kind = read?.value.phase.kind;
    if (read !== undefined) this.#owners.services.noteRun(read.value);
    if (read === undefined || (kind !== "queued" && kind !== "running")) {
      this.#entries.delete(id);
      return;
    }
    const task = before ?? this.#newTask(read);
    task.read = read;
    task.dueAtMs = Math.ceil(nowMs + Math.max(leastMs, firstRemainingMs(read.value, now)));
    if (before === undefined) this.#entries.set(task.id, task);
    this.#attach(task);
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
    const task = this.#newTask(read);
    this.#entries.set(task.id, task);
    this.reserve(task, on);
  }

  /** The creation decided from `read` was refused. */
  dismiss(read: Versioned<Task>, nowMs: number): void {
    const task = this.#entries.get(read.value.id);
    if (task?.read !== read) return;
    this.#detach(task, nowMs);
    this.#entries.delete(task.id);
  }

  /** Keeps other decisions away from a task that is being ended. */
  holdForEnd(task: OpenTask): void {
    this.#unqueue(task);
    this.deadlines.delete(task);
    task.pending = true;
  }

  /** What was decided from `read` was refused: the task is as its record says, and due when it was. */
  release(task: OpenTask, read: Versioned<Task>, nowMs: number): void {
    if (!task.pending || task.read !== read || this.#entries.get(task.id) !== task) return;
    this.#detach(task, nowMs);
    this.#attach(task);
  }

  /** The task waited out its start budget; what remains of its queue budget comes next. */
  passStartBudget(task: OpenTask, nowMs: number): void {
    const { startMs, queueMs } = task.read.value.budgets;
    task.service.overdue.add(task);
    this.deadlines.set(task, nowMs + queueMs - startMs);
    this.#owners.services.touch(task.service);
  }

  #newTask(read: Versioned<Task>): OpenTask {
    const { id, serviceId } = read.value;
    const service = this.#owners.services.ensure(serviceId);
    return {
      id,
      service,
      read,
      dueAtMs: 0,
      deadlineMs: 0,
      deadlineAt: NO_DEADLINE,
      on: null,
      node: null,
      pending: false,
    };
  }

  #attach(task: OpenTask): void {
    const { value } = task.read;
    const { services, nodes, assignments } = this.#owners;
    if (value.phase.kind === "queued") {
      task.service.queue.add(task);
      this.#queued++;
      this.deadlines.set(task, task.dueAtMs);
    } else if (value.phase.kind === "running") {
      task.on = assignments.get(value.phase.assignmentId) ?? null;
      task.on?.running.add(task);
      task.node = nodes.ensure(value.phase.nodeId);
      task.node.running.add(task);
      task.service.running.add(task);
      this.deadlines.set(task, task.dueAtMs);
    }
    services.touch(task.service);
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
    this.#owners.services.touch(task.service);
  }

  #unqueue(task: OpenTask): void {
    if (!task.service.queue.remove(task.id)) return;
    task.service.overdue.remove(task.id);
    this.#queued--;
  }
}
