/**
 * Requests that hang on the end of a task. Each holds memory and a socket, so there are only so many of them, in
 * all and for one key; when the server stops they are all answered at once.
 */
import type { Task } from "../domain/task.ts";
import type { HttpMetrics } from "../metrics/http-metrics.ts";
import type { TaskView, Versioned } from "../store/store.ts";
import { Problem } from "./problem.ts";

const TOTAL_MAX = 20_000;
const KEY_MAX = 5_000;

export interface TaskWait {
  readonly taskId: string;
  readonly keyId: string;
  readonly timeoutMs: number;
  /** Called with what gives the wait up, for a client that goes away. */
  readonly onGone: (giveUp: () => void) => void;
}

export class TaskWaits {
  readonly #tasks: Pick<TaskView, "ended">;
  readonly #metrics: Pick<HttpMetrics, "waiting">;
  readonly #byKey = new Map<string, number>();
  readonly #waiting = new Set<AbortController>();
  #stopping = false;

  constructor(tasks: Pick<TaskView, "ended">, metrics: Pick<HttpMetrics, "waiting">) {
    this.#tasks = tasks;
    this.#metrics = metrics;
  }

  /** The task once it ended; null when the time ran out, the client went, or the view no longer has the task. */
  async wait({ taskId, keyId, timeoutMs, onGone }: TaskWait): Promise<Versioned<Task> | null> {
    if (this.#stopping) return null;
    const controller = this.#enter(keyId);
    const giveUp = () => controller.abort(GIVEN_UP);
    const timer = setTimeout(giveUp, timeoutMs);
    onGone(giveUp);
    try {
      return await this.#tasks.ended(taskId, controller.signal);
    } catch (error) {
      if (error === GIVEN_UP) return null;
      throw error;
    } finally {
      clearTimeout(timer);
      this.#leave(keyId, controller);
    }
  }

  stop(): void {
    this.#stopping = true;
    for (const controller of this.#waiting) controller.abort(GIVEN_UP);
  }

  #enter(keyId: string): AbortController {
    const ofKey = this.#byKey.get(keyId) ?? 0;
    if (ofKey >= KEY_MAX || this.#waiting.size >= TOTAL_MAX) {
      throw new Problem("too_many_waits", "Too many requests are waiting for tasks; ask without `wait`, or later.");
    }
    const controller = new AbortController();
    this.#waiting.add(controller);
    this.#byKey.set(keyId, ofKey + 1);
    this.#metrics.waiting(this.#waiting.size);
    return controller;
  }

  #leave(keyId: string, controller: AbortController): void {
    this.#waiting.delete(controller);
    const left = (this.#byKey.get(keyId) ?? 1) - 1;
    if (left > 0) this.#byKey.set(keyId, left);
    else this.#byKey.delete(keyId);
    this.#metrics.waiting(this.#waiting.size);
  }
}

const GIVEN_UP = new Error("the wait was given up");
