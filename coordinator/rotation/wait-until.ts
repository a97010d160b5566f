/** Waits until nothing is left that a step waits for, or its time is over. */
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@elastic/std/clock.ts";
import { LateLine } from "./late-line.ts";

const LOOK_EVERY_MS = 250;

interface WaitOptions {
  readonly clock: Clock;
  readonly waitMs: number;
  readonly progress: (line: string) => void;
  /** Before the list of what is left. */
  readonly what: string;
}

/** Returns what is left: empty where all is confirmed. */
export async function waitUntil(
  left: () => Promise<readonly string[]>,
  { clock, waitMs, progress, what }: WaitOptions,
): Promise<readonly string[]> {
  const endsAtMs = clock.monotonicMs() + waitMs;
  const late = new LateLine(clock, progress);
  for (;;) {
    const waitsFor = await left();
    const remainingMs = endsAtMs - clock.monotonicMs();
    if (waitsFor.length === 0 || remainingMs <= 0) return waitsFor;
    late.print(`${what}; waits for: ${waitsFor.join("; ")}`);
    await delay(Math.min(LOOK_EVERY_MS, remainingMs));
  }
}
