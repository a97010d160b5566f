/** Waits for a value by looking for it again and again, where nothing announces it. */
import { setTimeout as delay } from "node:timers/promises";

/**
 * What `look` returns once it returns something other than undefined. A rejection counts as nothing yet.
 * Rejects when the time is up, with the last rejection as the cause, and when the signal aborts.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  options: { readonly timeoutMs: number; readonly everyMs?: number; readonly signal?: AbortSignal },
): Promise<T> {
  const deadline = performance.now() + options.timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await look();
      if (value !== undefined) return value;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) throw new Error(`${what}: not within ${options.timeoutMs} ms`, { cause });
    await delay(options.everyMs ?? 50, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}
