/** The running tasks of each node, as the view has them. */
import type { Task } from "../domain/task.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { RecordChange, TaskView } from "../store/store.ts";

export interface RunningListener {
  onStarted(task: Versioned<Task>, nodeId: string): void;
  /** `after` is what became of the task; undefined if its record is gone. */
  onEnded(task: Versioned<Task>, nodeId: string, after: Versioned<Task> | undefined): void;
}

export class RunningAttempts {
  readonly #tasks = new Map<string, Versioned<Task>>();
  readonly #byNode = new Map<string, Set<string>>();

  /** From now on. What runs already is known; the listener is not called for it. */
  follow(tasks: TaskView, listener: RunningListener): () => void {
    for (const task of tasks.begun()) this.#add(task);
    return tasks.subscribe((change) => this.#apply(change, listener));
  }

  countOn(nodeId: string): number {
    return this.#byNode.get(nodeId)?.size ?? 0;
  }

  on(nodeId: string): Versioned<Task>[] {
    const running: Versioned<Task>[] = [];
    for (const id of this.#byNode.get(nodeId) ?? []) {
      const task = this.#tasks.get(id);
      if (task !== undefined) running.push(task);
    }
    return running;
  }

  get(taskId: string): Versioned<Task> | undefined {
    return this.#tasks.get(taskId);
  }

  #apply({ id, after }: RecordChange<Task>, listener: RunningListener): void {
    const before = this.#tasks.get(id);
    if (before?.revision === after?.revision) return;
    const wasOn = this.#remove(before);
    if (before !== undefined && wasOn !== null) listener.onEnded(before, wasOn, after);
    const isOn = after === undefined ? null : this.#add(after);
    if (after !== undefined && isOn !== null) listener.onStarted(after, isOn);
  }

  #add(task: Versioned<Task>): string | null {
    const { id, phase } = task.value;
    if (phase.kind !== "running") return null;
    this.#tasks.set(id, task);
    const ids = this.#byNode.get(phase.nodeId) ?? new Set<string>();
    this.#byNode.set(phase.nodeId, ids.add(id));
    return phase.nodeId;
  }

  #remove(task: Versioned<Task> | undefined): string | null {
    if (task?.value.phase.kind !== "running") return null;
    const { nodeId } = task.value.phase;
    this.#tasks.delete(task.value.id);
    const ids = this.#byNode.get(nodeId);
    ids?.delete(task.value.id);
    if (ids?.size === 0) this.#byNode.delete(nodeId);
    return nodeId;
  }
}
