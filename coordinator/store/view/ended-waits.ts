/** Who waits for a task to end. */
import { setImmediate } from "node:timers/promises";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";

/** Each is a request whose response is sent in the same turn of the event loop; thousands may wait for one task. */
const TURN_WAITS_MAX = 100;

type Settle = (task: Versioned<Task> | null) => void;

export class EndedWaits {
  readonly #waits = new Map<string, Set<Settle>>();

  wait(id: string, signal: AbortSignal): Promise<Versioned<Task> | null> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const abort = () => {
        giveUp();
        reject(signal.reason);
      };
      const giveUp = this.add(id, (task) => {
        signal.removeEventListener("abort", abort);
        resolve(task);
      });
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  /** Calls back once, unless the returned function gives up before. */
  add(id: string, onEnded: Settle): () => void {
    // Wrapped, so that one function that waits twice is two waits.
    const settle: Settle = (task) => onEnded(task);
    const waits = this.#waits.get(id);
    if (waits === undefined) this.#waits.set(id, new Set([settle]));
    else waits.add(settle);
    return () => this.#forget(id, settle);
  }

  /** Null when the task was removed. */
  settle(id: string, task: Versioned<Task> | null): void {
    const waits = this.#waits.get(id);
    if (waits === undefined) return;
    this.#waits.delete(id);
    void settleInTurns(waits, task);
  }

  #forget(id: string, settle: Settle): void {
    const waits = this.#waits.get(id);
    waits?.delete(settle);
    if (waits?.size === 0) this.#waits.delete(id);
  }
}

/** Those of the first turn at once. Who gives up meanwhile has had its response; settling it again does nothing. */
async function settleInTurns(waits: Iterable<Settle>, task: Versioned<Task> | null): Promise<void> {
  let ofTurn = 0;
  for (const settle of waits) {
    if (ofTurn === TURN_WAITS_MAX) {
      await setImmediate();
      ofTurn = 0;
    }
    settle(task);
    ofTurn++;
  }
}
