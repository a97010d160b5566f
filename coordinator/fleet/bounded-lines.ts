/** Which lines about nodes are logged: of each node and kind a few a minute, with how many events were left out since. */
import type { Clock } from "@elastic/std/clock.ts";

const WINDOW_MS = 60_000;

interface Window {
  readonly sinceMs: number;
  lines: number;
  /** Events since the last line. */
  unlogged: number;
}

export class BoundedLines {
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** Nodes are as many as operators gave certificates to, and kinds are few. */
  readonly #windows = new Map<string, Window>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** How many events were left out before this line; null for a line that is left out as well. */
  next(nodeId: string, kind: string, { events = 1, aMinute = 1 } = {}): number | null {
    const window = this.#of(`${nodeId} ${kind}`);
    const { unlogged } = window;
    if (window.lines >= aMinute) {
      window.unlogged += events;
      return null;
    }
    window.lines += 1;
    window.unlogged = 0;
    return unlogged;
  }

  #of(key: string): Window {
    const nowMs = this.#clock.monotonicMs();
    const before = this.#windows.get(key);
    if (before !== undefined && nowMs - before.sinceMs < WINDOW_MS) return before;
    const window = { sinceMs: nowMs, lines: 0, unlogged: before?.unlogged ?? 0 };
    this.#windows.set(key, window);
    return window;
  }
}
