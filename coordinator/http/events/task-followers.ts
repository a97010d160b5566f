/** Who follows which task, or the tasks of which service: one look at each change of the view, however many follow. */
import type { Task } from "../../domain/task.ts";
import type { RecordChange, TaskView } from "../../store/store.ts";

/** Undefined when the record is gone. */
type Listener = (task: Task | undefined) => void;

export class TaskFollowers {
  readonly #tasks: Pick<TaskView, "subscribe">;
  readonly #followedBy: (change: RecordChange<Task>) => string | undefined;
  readonly #listeners = new Map<string, Set<Listener>>();
  #unsubscribe: (() => void) | null = null;

  constructor(tasks: Pick<TaskView, "subscribe">, by: "task" | "service" = "task") {
    this.#tasks = tasks;
    this.#followedBy = by === "task" ? ({ id }) => id : ({ before, after }) => (after ?? before)?.value.serviceId;
  }

  /** Returns how to leave. */
  follow(id: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    this.#unsubscribe ??= this.#tasks.subscribe((change) => {
      for (const each of this.#listeners.get(this.#followedBy(change) ?? "") ?? []) each(change.after?.value);
    });
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
      if (this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = null;
    };
  }
}
