/**
 * Stops work that another node may have been given: when no coordinator has answered a heartbeat for as long as
 * the coordinators said, counted from the sending of the last one that was answered. A coordinator counts from
 * its receiving, so the agent is always the first to give up.
 */
import type { Clock } from "@elastic/std/clock.ts";

export interface Fence {
  setAfterMs(afterMs: number): void;
  onAlive(sentAtMs: number): void;
  stop(): void;
}

const TICK_MS = 250;

/** `onFenced` is called once for each loss of touch. */
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
