/** Waits for a value, and says what it waited for when it does not come. */
import { setTimeout as delay } from "node:timers/promises";

const LOOK_EVERY_MS = 5;
const TIMEOUT_MS = 20_000;

export async function eventually<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  timeoutMs: number = TIMEOUT_MS,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false && value !== null) return value;
    if (performance.now() > until) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
