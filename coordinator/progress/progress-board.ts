/**
 * How far running tasks are, by the agents' latest reports. In memory alone: every agent reports to every
 * coordinator, and again when a link opens. What is of a task that does not run any more is dropped.
 */
import type { TaskView } from "../store/store.ts";

export interface Progress {
  /** From 0 to 1. */
  readonly fraction: number;
  readonly message: string;
}

interface Entry extends Progress {
  readonly attempt: number;
}

/** More than run at once on any fleet this was made for; beyond it the one reported longest ago is dropped. */
const TASKS_MAX = 100_000;
const MESSAGE_CHARS_MAX = 500;

export class ProgressBoard {
  readonly #entries = new Map<string, Entry>();
  readonly #tasksMax: number;

  constructor(tasksMax: number = TASKS_MAX) {
    this.#tasksMax = tasksMax;
  }

  /** Forgets tasks as they end. Returns how to stop. */
  follow(tasks: Pick<TaskView, "subscribe">): () => void {
    return tasks.subscribe(({ id, after }) => {
      if (after?.value.phase.kind !== "running") this.#entries.delete(id);
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What is no fraction is not taken; a longer message is cut. */
  set(taskId: string, attempt: number, { fraction, message }: Progress): void {
    if (Number.isNaN(fraction)) return;
    this.#entries.delete(taskId);
    this.#entries.set(taskId, {
      attempt,
      fraction: Math.min(1, Math.max(0, fraction)),
      message: message.slice(0, MESSAGE_CHARS_MAX).toWellFormed(),
    });
    if (this.#entries.size <= this.#tasksMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Null without a report of that attempt. */
  get(taskId: string, attempt: number): Progress | null {
    const entry = this.#entries.get(taskId);
    return entry?.attempt === attempt ? { fraction: entry.fraction, message: entry.message } : null;
  }
}
