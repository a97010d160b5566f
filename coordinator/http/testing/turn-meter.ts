/**
 * The longest that one turn of this thread's event loop takes, in CPU time: what else runs on the machine does not
 * count. While it measures, the loop never rests.
 */
import { setImmediate as nextTurn } from "node:timers/promises";

export class TurnMeter {
  #next: NodeJS.Immediate | null = null;
  #longestMs = 0;

  begin(): void {
    this.#longestMs = 0;
    let last = threadCpuMs();
    const turn = () => {
      const now = threadCpuMs();
      this.#longestMs = Math.max(this.#longestMs, now - last);
      last = now;
      this.#next = setImmediate(turn);
    };
    this.#next = setImmediate(turn);
  }

  /** Since it began, the current turn included. */
  async end(): Promise<number> {
    await nextTurn();
    if (this.#next !== null) clearImmediate(this.#next);
    this.#next = null;
    return this.#longestMs;
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
