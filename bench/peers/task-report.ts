/** What a peer's worker tells of a task: who it was, and when its handler began. */
export interface Told {
  readonly task: number;
  readonly startedUs: number;
}

/** Matches what is told with who waits for it. */
export class Waiting {
  readonly #waiting = new Map<number, (told: Told) => void>();
  #next = 0;

  /** A number for a new task, and the promise of what will be told of it. */
  add(): { readonly task: number; readonly told: Promise<Told> } {
    this.#next += 1;
    const task = this.#next;
    return { task, told: new Promise((resolve) => this.#waiting.set(task, resolve)) };
  }

  tell(told: Told): void {
    this.#waiting.get(told.task)?.(told);
    this.#waiting.delete(told.task);
  }
}

/** Sends to the parent process, many in one message where many end at once. */
export function tellParent(): (told: Told) => void {
  let batch: Told[] = [];
  return (told) => {
    if (batch.length === 0) {
      setImmediate(() => {
        process.send?.(batch);
        batch = [];
      });
    }
    batch.push(told);
  };
}
