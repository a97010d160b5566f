/**
 * Keeps the view as the store is: lists everything at one revision, then watches from the next. A watch that
 * breaks is a list again, and what the list does not have is gone.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import { decodeRecord } from "../codec.ts";
import { parseRecordKey, RECORDS_PREFIX } from "../keys.ts";
import { type Entry, type Kv, type KvEvent, StoreChangedError } from "../kv.ts";
import type { MemoryView } from "./view.ts";

const PAGE_ENTRIES = 1000;
const BACKOFF_FIRST_MS = 50;
const BACKOFF_MAX_MS = 500;

export interface FeedOptions {
  readonly kv: Kv;
  readonly view: MemoryView;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Resolves once the view was complete for the first time; continues until the signal aborts. Where the store is no longer
 * the one that it was, the view is dropped, and stays so.
 */
export function startFeed(options: FeedOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    options.signal.addEventListener("abort", () => reject(options.signal.reason), { once: true });
    void follow(options, resolve).then((changed) => {
      if (changed === null) return;
      options.view.drop();
      reject(changed);
    });
  });
}

/** Returns why where it gave up, and null where it was stopped. */
async function follow(options: FeedOptions, onComplete: () => void): Promise<StoreChangedError | null> {
  const { log, signal } = options;
  let backoffMs = BACKOFF_FIRST_MS;
  while (!signal.aborted) {
    try {
      const revision = await list(options);
      onComplete();
      backoffMs = BACKOFF_FIRST_MS;
      await watch(options, revision + 1);
    } catch (error) {
      if (signal.aborted) return null;
      if (error instanceof StoreChangedError) return error;
      log.warn({ err: error, retryInMs: backoffMs }, "the view lost the store and lists it again");
      await pause(backoffMs, signal);
      backoffMs = Math.min(2 * backoffMs, BACKOFF_MAX_MS);
    }
  }
  return null;
}

/** Brings the view to some revision, and says which. */
async function list({ kv, view, clock, log, signal }: FeedOptions): Promise<number> {
  const startedMs = clock.monotonicMs();
  let page = await kv.range(RECORDS_PREFIX, { limit: PAGE_ENTRIES });
  const at = page.revision;
  const listed = new Set<string>();
  for (;;) {
    const afterKey = page.entries.at(-1)?.key;
    const isLast = !page.more || afterKey === undefined || signal.aborted;
    // On its way while this one is taken in.
    const next = isLast ? null : kv.range(RECORDS_PREFIX, { limit: PAGE_ENTRIES, afterKey, at });
    for (const entry of page.entries) {
      listed.add(entry.key);
      put(view, entry, log);
    }
    if (next === null) break;
    page = await next;
  }
  signal.throwIfAborted();
  view.removeAllBut(listed, at);
  view.completeUpTo(at);
  view.completeAsOf(clock.monotonicMs() - startedMs);
  view.currentAsOf(clock.monotonicMs() - startedMs);
  return at;
}

/** Rejects when the watch breaks or the signal aborts. */
async function watch({ kv, view, log, signal }: FeedOptions, fromRevision: number): Promise<never> {
  const broken = Promise.withResolvers<never>();
  const onAbort = () => broken.reject(signal.reason);
  const onEvents = (events: readonly KvEvent[]) => {
    for (const event of events) {
      if (event.kind === "put") put(view, event.entry, log);
      else remove(view, event.key, event.revision);
    }
    view.completeUpTo(newestOf(events));
  };
  // Not the revision: old servers report a progress that runs some moments ahead of the events. And of events alone
  // nobody knows how long they were on their way.
  const onProgress = (_revision: number, agoMs: number) => view.completeAsOf(agoMs);
  const onCurrent = (agoMs: number) => view.currentAsOf(agoMs);
  signal.addEventListener("abort", onAbort, { once: true });
  kv.watch(RECORDS_PREFIX, fromRevision, { onEvents, onProgress, onCurrent, onBroken: broken.reject }, signal);
  try {
    return await broken.promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function newestOf(events: readonly KvEvent[]): number {
  const newest = events.at(-1);
  if (newest === undefined) return 0;
  return newest.kind === "put" ? newest.entry.revision : newest.revision;
}

function put(view: MemoryView, entry: Entry, log: Logger): void {
  const key = parseRecordKey(entry.key);
  // Before parsing: most of what comes is this process's own.
  if (key === null || !view.isNews(key.kind, key.id, entry.revision)) return;
  try {
    view.put(key.kind, key.id, decodeRecord(entry.value).value, entry.revision);
  } catch (error) {
    log.error({ err: error, key: entry.key, revision: entry.revision }, "a record cannot be read and is passed over");
  }
}

function remove(view: MemoryView, key: string, revision: number): void {
  const parsed = parseRecordKey(key);
  if (parsed !== null) view.remove(parsed.kind, parsed.id, revision);
}
