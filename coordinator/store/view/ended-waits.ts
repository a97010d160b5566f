/** Who waits for a task to end. */
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../store.ts";

type Settle = (task: Versioned<Task> | null) => void;

export class EndedWaits {
  readonly #waits = new Map<string, Set<Settle>>();

  wait(id: string, signal: AbortSignal): Promise<Versioned<Task> | null> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const settle: Settle = (task) => {
        signal.removeEventListener("abort", abort);
        resolve(task);
      };
      const abort = () => {
        this.#forget(id, settle);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      const waits = this.#waits.get(id);
      if (waits === undefined) this.#waits.set(id, new Set([settle]));
      else waits.add(settle);
    });
  }

  /** Null when the task was removed. */
  settle(id: string, task: Versioned<Task> | null): void {
    const waits = this.#waits.get(id);
    if (waits === undefined) return;
    this.#waits.delete(id);
    for (const settle of waits) settle(task);
  }

  #forget(id: string, settle: Settle): void {
    const waits = this.#waits.get(id);
    waits?.delete(settle);
    if (waits?.size === 0) this.#waits.delete(id);
  }
}
