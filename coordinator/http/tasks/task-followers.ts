/** Who follows which task: one look at each change of the view, however many follow. */
import type { Task } from "../../domain/task.ts";
import type { TaskView } from "../../store/store.ts";

/** Undefined when the record is gone. */
type Listener = (task: Task | undefined) => void;

export class TaskFollowers {
  readonly #tasks: Pick<TaskView, "subscribe">;
  readonly #listeners = new Map<string, Set<Listener>>();
  #unsubscribe: (() => void) | null = null;

  constructor(tasks: Pick<TaskView, "subscribe">) {
    this.#tasks = tasks;
  }

  /** Answers how to leave. */
  follow(taskId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(taskId) ?? new Set();
    this.#listeners.set(taskId, listeners.add(listener));
    this.#unsubscribe ??= this.#tasks.subscribe(({ id, after }) => {
      for (const each of this.#listeners.get(id) ?? []) each(after?.value);
    });
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(taskId) === listeners) this.#listeners.delete(taskId);
      if (this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = null;
    };
  }
}
