/**
 * Watches every write of tasks' records from the first revision on while a run lasts, over restarts of etcd. It must keep up:
 * where a compaction overtakes it, it fails.
 */
import { setTimeout as delay } from "node:timers/promises";
import { CompactedError, markStore, readStoreHistory, type StoreEvent, watchStore } from "./store-history.ts";

const AGAIN_AFTER_MS = 200;
/** While nothing else is written, what the watcher has received must not fall behind compactions. */
const MARK_EVERY_MS = 2_000;
const MARK_TIMEOUT_MS = 1_000;

export interface StoreWatcher {
  /** Resolves once everything that was written before is received. Rejects where something of it was compacted away. */
  stop(): Promise<void>;
}

/** `onEvent` gets each write once, in the order of revisions. */
export function startStoreWatcher(etcdEndpoint: string, onEvent: (event: StoreEvent) => void): StoreWatcher {
  const stopping = new AbortController();
  let revision = 0;
  const receive = (event: StoreEvent): void => onEvent({ ...event, atMs: performance.now() });
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      try {
        for await (const change of watchStore(etcdEndpoint, revision + 1, stopping.signal)) {
          revision = change.revision;
          if (change.event !== null) receive(change.event);
        }
      } catch (error) {
        // Also while etcd is away; then the watch begins where it ended.
        if (error instanceof CompactedError) throw error;
      }
      await delay(AGAIN_AFTER_MS);
    }
  })();
  // Awaited by stop().
  watching.catch(() => {});
  const marking = setInterval(() => {
    // Etcd may be away.
    markStore(etcdEndpoint, "watcher", AbortSignal.timeout(MARK_TIMEOUT_MS)).catch(() => {});
  }, MARK_EVERY_MS);
  return {
    async stop() {
      clearInterval(marking);
      stopping.abort();
      await watching;
      for (const event of await readStoreHistory(etcdEndpoint, revision + 1)) receive(event);
    },
  };
}
