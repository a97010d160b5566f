/** Deadlines of many short things with one timer between them; each is met within a tick. */
import type { Clock } from "@elastic/std/clock.ts";

export interface Deadlines<K> {
  /** Calls `onPassed` once, when `afterMs` are over, unless cleared before. */
  set(key: K, afterMs: number, onPassed: () => void): void;
  clear(key: K): void;
}

interface Deadline {
  readonly atMs: number;
  readonly onPassed: () => void;
}

const TICK_MS = 50;

export function deadlines<K>(clock: Clock): Deadlines<K> {
  const pending = new Map<K, Deadline>();
  let timer: NodeJS.Timeout | null = null;

  const tick = (): void => {
    const nowMs = clock.monotonicMs();
    for (const [key, deadline] of pending) {
      if (deadline.atMs > nowMs) continue;
      pending.delete(key);
      deadline.onPassed();
    }
    if (pending.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };

  return {
    set: (key, afterMs, onPassed) => {
      pending.set(key, { atMs: clock.monotonicMs() + afterMs, onPassed });
      timer ??= setInterval(tick, TICK_MS);
    },
    clear: (key) => {
      pending.delete(key);
    },
  };
}
