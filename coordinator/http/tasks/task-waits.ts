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
  readonly #tasks: Pick<TaskView, "onceEnded">;
  readonly #metrics: Pick<HttpMetrics, "waiting">;
  readonly #places = new Shares({ max: WAITS_MAX });
  /** What abandons each. */
  readonly #waiting = new Set<() => void>();
  #stopping = false;

  constructor(tasks: Pick<TaskView, "onceEnded">, metrics: Pick<HttpMetrics, "waiting">) {
    this.#tasks = tasks;
    this.#metrics = metrics;
  }

  /** The task once it ended; null when the time ran out, the client went, or the view no longer has the task. */
  wait({ taskId, holder, timeoutMs, onGone }: TaskWait): Promise<Versioned<Task> | null> {
    if (this.#stopping) return Promise.resolve(null);
    if (!this.#places.take(holder)) return Promise.reject(tooManyWaits());
    return new Promise((resolve) => {
      let giveUp: (() => void) | null = null;
      const abandon = () => settle(null);
      const settle = (task: Versioned<Task> | null) => {
        // The connection's end, which comes after the response too, settles nothing again.
        if (!this.#waiting.delete(abandon)) return;
        clearTimeout(timer);
        giveUp?.();
        this.#places.give(holder);
        this.#metrics.waiting(this.#waiting.size);
        resolve(task);
      };
      const timer = setTimeout(abandon, timeoutMs);
      this.#waiting.add(abandon);
      this.#metrics.waiting(this.#waiting.size);
      onGone(abandon);
      giveUp = this.#tasks.onceEnded(taskId, settle);
    });
  }

  stop(): void {
    this.#stopping = true;
    for (const abandon of this.#waiting) abandon();
  }
}

function tooManyWaits(): Problem {
  return new Problem(
    "too_many_waits",
    "Too many requests are waiting for tasks; send this one without `wait`, or later.",
  );
}
