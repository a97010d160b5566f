/**
 * Requests that wait for the end of a task. Each holds memory and a socket, so there are only so many of them, in
 * all and for one team; when the server stops they all end at once.
 */
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { HttpMetrics } from "../../metrics/http-metrics.ts";
import type { TaskView } from "../../store/store.ts";
import { type Holder, Shares } from "../limits/shares.ts";
import { Problem } from "../problems/problem.ts";

const WAITS_MAX = 20_000;

export interface TaskWait {
  readonly taskId: string;
  readonly holder: Holder;
  readonly timeoutMs: number;
  /** Called with what abandons the wait, for a client that goes away. */
  readonly onGone: (abandon: () => void) => void;
}

export interface WaitDeps {
  readonly waits: TaskWaits;
}

export class TaskWaits {
  readonly #tasks: Pick<TaskView, "ended">;
  readonly #metrics: Pick<HttpMetrics, "waiting">;
  readonly #places = new Shares({ max: WAITS_MAX });
  readonly #waiting = new Set<AbortController>();
  #stopping = false;

  constructor(tasks: Pick<TaskView, "ended">, metrics: Pick<HttpMetrics, "waiting">) {
    this.#tasks = tasks;
    this.#metrics = metrics;
  }

  /** The task once it ended; null when the time ran out, the client went, or the view no longer has the task. */
  async wait({ taskId, holder, timeoutMs, onGone }: TaskWait): Promise<Versioned<Task> | null> {
    if (this.#stopping) return null;
    const controller = this.#enter(holder);
    const abandon = () => controller.abort(ABANDONED);
    const timer = setTimeout(abandon, timeoutMs);
    onGone(abandon);
    try {
      return await this.#tasks.ended(taskId, controller.signal);
    } catch (error) {
      if (error === ABANDONED) return null;
      throw error;
    } finally {
      clearTimeout(timer);
      this.#leave(holder, controller);
    }
  }

  stop(): void {
    this.#stopping = true;
    for (const controller of this.#waiting) controller.abort(ABANDONED);
  }

  #enter(holder: Holder): AbortController {
    if (!this.#places.take(holder)) {
      throw new Problem(
        "too_many_waits",
        "Too many requests are waiting for tasks; send this one without `wait`, or later.",
      );
    }
    const controller = new AbortController();
    this.#waiting.add(controller);
    this.#metrics.waiting(this.#waiting.size);
    return controller;
  }

  #leave(holder: Holder, controller: AbortController): void {
    this.#waiting.delete(controller);
    this.#places.give(holder);
    this.#metrics.waiting(this.#waiting.size);
  }
}

const ABANDONED = new Error("the wait was abandoned");
