/**
 * Keeps the view as the store is: lists everything at one revision, then watches from the next. A watch that
 * breaks is a list again, and what the list does not have is gone.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { IdMap } from "@elastic/std/id-map.ts";
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import { readRecord, UnreadableRecordError } from "../codec.ts";
import { parseRecordKey, RECORDS_PREFIX, type RecordKind } from "../keys.ts";
import { type Entry, type Kv, type KvEvent, StoreChangedError } from "../kv.ts";
import { readPages } from "../read-pages.ts";
import type { MemoryView } from "./view.ts";

const BACKOFF_FIRST_MS = 50;
const BACKOFF_MAX_MS = 500;

export interface FeedOptions {
  readonly kv: Kv;
  readonly view: MemoryView;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** The value that this process is just writing to a record with these bytes; null for what anybody else wrote. */
  readonly ownValue?: (kind: RecordKind, id: string, bytes: Buffer) => object | null;
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
  let isEmpty = true;
  while (!signal.aborted) {
    try {
      const listing = list(options, isEmpty);
      isEmpty = false;
      const revision = await listing;
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

/** Brings the view, which nothing was put into where it `isEmpty`, to some revision, and says which. */
async function list(options: FeedOptions, isEmpty: boolean): Promise<number> {
  const { kv, view, clock, signal } = options;
  const startedMs = clock.monotonicMs();
  const { revision: at } = await kv.range(RECORDS_PREFIX, { limit: 1 });
  const listed = new IdMap<true>();
  for await (const entries of readPages(kv, at, { root: RECORDS_PREFIX })) {
    signal.throwIfAborted();
    for (const entry of entries) {
      if (!isEmpty) listed.set(entry.key, true);
      put(options, entry);
    }
  }
  signal.throwIfAborted();
  if (!isEmpty) await view.removeAllBut(listed, at);
  view.completeUpTo(at);
  view.completeAsOf(clock.monotonicMs() - startedMs);
  view.currentAsOf(clock.monotonicMs() - startedMs);
  return at;
}

/** Rejects when the watch breaks or the signal aborts. */
async function watch(options: FeedOptions, fromRevision: number): Promise<never> {
  const { kv, view, signal } = options;
  const broken = Promise.withResolvers<never>();
  const onAbort = () => broken.reject(signal.reason);
  const onEvents = (events: readonly KvEvent[]) => {
    for (const event of events) {
      if (event.kind === "put") put(options, event.entry);
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

function put({ view, log, ownValue }: FeedOptions, entry: Entry): void {
  const key = parseRecordKey(entry.key);
  // Before parsing: most of what comes is this process's own, and known since the response to its commit, or now.
  if (key === null || !view.isNews(key.kind, key.id, entry.revision)) return;
  try {
    const value = ownValue?.(key.kind, key.id, entry.value) ?? readRecord(key.kind, key.id, entry.value);
    view.put(key.kind, key.id, value, entry.revision);
  } catch (error) {
    // A table that cannot take it finds it malformed too.
    const isMalformed = !(error instanceof UnreadableRecordError) || error.isMalformed;
    view.putUnreadable(key.kind, key.id, { revision: entry.revision, isMalformed });
    log.error({ err: error, key: entry.key, revision: entry.revision }, "a record cannot be read and is passed over");
  }
}

function remove(view: MemoryView, key: string, revision: number): void {
  const parsed = parseRecordKey(key);
  if (parsed !== null) view.remove(parsed.kind, parsed.id, revision);
}
