/** What a peer's worker reports of a task: which one, and when its handler began. */
export interface TaskReport {
  readonly task: number;
  readonly startedUs: number;
}

/** Matches reports with those who wait for them. */
export class Waiting {
  readonly #waiting = new Map<number, (report: TaskReport) => void>();
  #next = 0;

  /** A number for a new task, and the promise of its report. */
  add(): { readonly task: number; readonly reported: Promise<TaskReport> } {
    this.#next += 1;
    const task = this.#next;
    return { task, reported: new Promise((resolve) => this.#waiting.set(task, resolve)) };
  }

  settle(report: TaskReport): void {
    this.#waiting.get(report.task)?.(report);
    this.#waiting.delete(report.task);
  }
}

/** Sends to the parent process, many in one message where many end at once. */
export function reportToParent(): (report: TaskReport) => void {
  let batch: TaskReport[] = [];
  return (report) => {
    if (batch.length === 0) {
      setImmediate(() => {
        process.send?.(batch);
        batch = [];
      });
    }
    batch.push(report);
  };
}
