/** Which tasks left the view lately: who looked at the view a moment ago can recognize what it saw. */
import type { TaskView } from "../store/store.ts";

/** Far more than leave while a list is made. */
const RETAINED_MAX = 20_000;

export class RecentRemovals {
  /** In the order in which they left. */
  readonly #removals = new Map<string, number>();
  #count = 0;

  constructor(tasks: Pick<TaskView, "subscribe">) {
    tasks.subscribe(({ id, after }) => {
      if (after === undefined) this.#add(id);
    });
  }

  /** Stands for this moment. */
  now(): number {
    return this.#count;
  }

  /** Whether the task has left since. */
  hasLeftSince(moment: number, id: string): boolean {
    return (this.#removals.get(id) ?? 0) > moment;
  }

  #add(id: string): void {
    this.#removals.delete(id);
    this.#removals.set(id, ++this.#count);
    if (this.#removals.size <= RETAINED_MAX) return;
    for (const oldest of this.#removals.keys()) {
      this.#removals.delete(oldest);
      return;
    }
  }
}
