/** What each node holds, as the view has it: the attempts that run there, and what its slots and GPUs are given to. */
import type { Assignment } from "../domain/assignment.ts";
import { holdsRoom } from "../domain/assignment.ts";
import type { Remaining } from "../domain/node-drain.ts";
import type { Task } from "../domain/task.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { RecordChange, View } from "../store/store.ts";
import { RunningAttempts } from "./running-attempts.ts";

type Records = Pick<View, "tasks" | "assignments" | "workloads">;

export class NodeWork {
  readonly #records: Records;
  readonly #running = new RunningAttempts();
  readonly #assignments = new Map<string, Map<string, Assignment>>();

  constructor(records: Records) {
    this.#records = records;
  }

  /** Follows the view from now on. Returns how to stop. */
  start(onChange: (nodeId: string) => void = () => undefined): () => void {
    const { tasks, assignments } = this.#records;
    const changed = (_: unknown, nodeId: string) => onChange(nodeId);
    const unfollow = this.#running.follow(tasks, { onStarted: changed, onEnded: changed });
    for (const { value } of assignments.values()) this.#of(value.nodeId).set(value.id, value);
    const unsubscribe = assignments.subscribe((change) => this.#apply(change, onChange));
    return () => {
      unfollow();
      unsubscribe();
    };
  }

  attemptsOn(nodeId: string): readonly Versioned<Task>[] {
    return this.#running.on(nodeId);
  }

  assignmentsOn(nodeId: string): readonly Assignment[] {
    return [...(this.#assignments.get(nodeId)?.values() ?? [])];
  }

  /** What each of its GPUs is given to, by the GPU's uuid. */
  holdersOn(nodeId: string): ReadonlyMap<string, Assignment> {
    const holding = this.assignmentsOn(nodeId).filter(({ id }) => holdsRoom(this.#records.workloads.get(id)?.value));
    return new Map(holding.flatMap((assignment) => assignment.gpuUuids.map((uuid) => [uuid, assignment])));
  }

  remainingOn(nodeId: string): Remaining {
    const assignments = this.assignmentsOn(nodeId);
    const shells = assignments.filter(({ workload }) => workload.kind === "shell").length;
    return { attempts: this.#running.countOn(nodeId), shells, workloads: assignments.length - shells };
  }

  #apply({ id, before, after }: RecordChange<Assignment>, onChange: (nodeId: string) => void): void {
    const nodeId = (after ?? before)?.value.nodeId;
    if (nodeId === undefined) return;
    const assignments = this.#of(nodeId);
    if (after === undefined) assignments.delete(id);
    else assignments.set(id, after.value);
    if (assignments.size === 0) this.#assignments.delete(nodeId);
    onChange(nodeId);
  }

  #of(nodeId: string): Map<string, Assignment> {
    const known = this.#assignments.get(nodeId);
    if (known !== undefined) return known;
    const assignments = new Map<string, Assignment>();
    this.#assignments.set(nodeId, assignments);
    return assignments;
  }
}
