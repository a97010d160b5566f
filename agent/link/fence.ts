/**
 * Stops work that another node may have been assigned: when no coordinator has acknowledged a heartbeat for as long as
 * the welcome states, counted from when the last acknowledged one was sent.
 *
 * The leader gives its work to others later, since it counts from the receipt of messages and waits for longer, whichever
 * coordinator received them. A report of an abandoned attempt changes nothing: its fencing token is no longer current.
 */
import type { Clock } from "@elastic/std/clock.ts";

export interface Fence {
  setAfterMs(afterMs: number): void;
  onAlive(sentAtMs: number): void;
  stop(): void;
}

const TICK_MS = 250;

/** `onFenced` is called once for each time without contact. */
export function startFence(clock: Clock, onFenced: () => void): Fence {
  let afterMs: number | null = null;
  let lastSentAtMs = 0;
  let fenced = true;
  const timer = setInterval(() => {
    if (fenced || afterMs === null || clock.monotonicMs() - lastSentAtMs < afterMs) return;
    fenced = true;
    onFenced();
  }, TICK_MS);
  return {
    setAfterMs: (value) => {
      afterMs = value;
    },
    onAlive: (sentAtMs) => {
      lastSentAtMs = Math.max(lastSentAtMs, sentAtMs);
      fenced = false;
    },
    stop: () => clearInterval(timer),
  };
}
