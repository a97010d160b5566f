/**
 * How often something is read again while it keeps changing: at once for the first few changes, then every five seconds, and more
 * rarely what takes many requests. What was put off is done, so the last change is never missed.
 */

const AT_ONCE_MAX = 3;
export const REFRESH_EVERY_MS = 5_000;
/** A list of so many pages is read as often as anything else. */
const REQUESTS_FREE = 10;

interface Paced {
  /** How many more may be done at once; grows with time. */
  left: number;
  countedAtMs: number;
  timer: ReturnType<typeof setTimeout> | null;
}

export class RefreshPace {
  readonly #paced = new Map<string, Paced>();

  /**
   * Calls `refresh`, which takes so many requests, once, now or later; one that waits already stands for further ones of that
   * name.
   */
  request(name: string, requests: number, refresh: () => void): void {
    const now = performance.now();
    const paced = this.#paced.get(name) ?? { left: AT_ONCE_MAX, countedAtMs: now, timer: null };
    this.#paced.set(name, paced);
    paced.left = Math.min(AT_ONCE_MAX, paced.left + (now - paced.countedAtMs) / REFRESH_EVERY_MS);
    paced.countedAtMs = now;
    if (paced.timer !== null) return;
    paced.left -= Math.max(1, requests / REQUESTS_FREE);
    if (paced.left >= 0) {
      refresh();
      return;
    }
    paced.timer = setTimeout(() => {
      paced.timer = null;
      refresh();
    }, -paced.left * REFRESH_EVERY_MS);
  }

  stop(): void {
    for (const { timer } of this.#paced.values()) if (timer !== null) clearTimeout(timer);
    this.#paced.clear();
  }
}
