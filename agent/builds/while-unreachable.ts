/** A build needs a coordinator for moments only: it waits while they all restart, or are replaced by a new version. */
import { setTimeout as delay } from "node:timers/promises";
import { isOutOfSpace } from "../domain/build-failure.ts";
import { FileUnavailableError } from "../volumes/fetch-file.ts";

const PATIENCE_MS = 120_000;
const RETRY_MS = 1_000;

/** Repeats what failed, for two minutes; not where the coordinator refused it or the disk is full. */
export async function whileUnreachable<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  { patienceMs = PATIENCE_MS, retryMs = RETRY_MS } = {},
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const isFinal = error instanceof FileUnavailableError || isOutOfSpace(error);
      if (isFinal || performance.now() >= until) throw error;
      await delay(retryMs, undefined, { signal });
    }
  }
}
