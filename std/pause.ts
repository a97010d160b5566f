import { setTimeout } from "node:timers/promises";

/** Resolves after `ms`, or as soon as the signal aborts; the caller looks at the signal. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
