/** What setTimeout, setInterval and setImmediate return to simulated code. */
import type { Due, Process } from "./world.ts";

interface TimerOptions {
  readonly label: string;
  readonly ms: number;
  readonly isRepeated: boolean;
  readonly act: () => void;
}

export class VirtualTimer {
  readonly #process: Process;
  readonly #options: TimerOptions;
  #due: Due;

  constructor(process: Process, options: TimerOptions) {
    this.#process = process;
    this.#options = options;
    this.#due = this.#schedule();
  }

  cancel(): void {
    this.#due.isCancelled = true;
  }

  refresh(): this {
    this.cancel();
    this.#due = this.#schedule();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    this.cancel();
  }

  #schedule(): Due {
    const { label, ms, isRepeated, act } = this.#options;
    const { world, drift } = this.#process;
    const delayMs = Number.isFinite(ms) ? ms / drift.rate : 1;
    return world.in(this.#process, delayMs, label, () => {
      // Before it is called, which may cancel it.
      if (isRepeated) this.#due = this.#schedule();
      act();
    });
  }
}

/** As setTimeout of node:timers/promises. */
export function virtualDelay(process: Process, ms: number, value: unknown, signal?: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const act = () => {
      signal?.removeEventListener("abort", aborted);
      resolve(value);
    };
    const timer = new VirtualTimer(process, { label: "delay", ms, isRepeated: false, act });
    if (signal?.aborted) aborted();
    else signal?.addEventListener("abort", aborted, { once: true });
  });
}
