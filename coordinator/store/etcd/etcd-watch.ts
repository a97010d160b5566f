/**
 * A watch on etcd's own stream. It never repairs itself: whatever happens to it is reported, and the listener lists
 * again. It requests its progress all the time, since etcd reports it every ten minutes only: a response shows that
 * everything written before the request has come.
 */
import type { Etcd3, IEvent, IWatchResponse } from "etcd3";
import { CompactedError, type KvEvent, StoreUnavailableError, type WatchListener } from "../kv.ts";
import { readError } from "./etcd-errors.ts";
import { endOf, headerOf, toEntry } from "./etcd-messages.ts";
import type { HeaderSink } from "./header-sink.ts";

/** A quarter of the age up to which a view is believed. */
const PROGRESS_EVERY_MS = 250;
/** A watch that does not even respond for this long hangs on a dead connection. */
const SILENCE_MAX_MS = 5000;

type WatchStream = Awaited<ReturnType<Etcd3["watchClient"]["watch"]>>;

export class EtcdWatch {
  readonly #listener: WatchListener;
  readonly #headers: HeaderSink;
  #stream: WatchStream | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastSeenMs = performance.now();
  /** Of the first request for progress without a response yet. */
  #requestedAtMs: number | null = null;
  /** The revision known at that moment. */
  #requestedAtRevision = 0;
  /** Of what was sent before the last response: any further one shows it too, unless its member lags. */
  #since: number;
  #deliveredUpTo: number;
  #ended = false;

  constructor(fromRevision: number, listener: WatchListener, headers: HeaderSink) {
    this.#deliveredUpTo = fromRevision - 1;
    this.#listener = listener;
    this.#headers = headers;
    this.#since = headers.revision();
  }

  async start(client: Etcd3, prefix: string): Promise<void> {
    try {
      const stream = await client.watchClient.watch();
      this.#stream = stream;
      // Stays attached: a cancelled stream ends with another error.
      stream.on("error", (error: Error) => this.break(readError(error)));
      stream.on("end", () => this.break(new StoreUnavailableError("etcd ended the watch")));
      stream.on("data", (response: IWatchResponse) => this.#receive(response));
      if (this.#ended) stream.cancel();
      if (this.#ended) return;
      const create_request = {
        key: Buffer.from(prefix),
        range_end: endOf(prefix),
        // One earlier, passed over below: of a watch that starts in the future etcd reports no progress.
        start_revision: String(Math.max(1, this.#deliveredUpTo)),
        progress_notify: true,
      };
      stream.write({ create_request });
      this.#timer = setInterval(() => this.#requestProgress(stream), PROGRESS_EVERY_MS).unref();
    } catch (error) {
      this.break(readError(error));
    }
  }

  stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    this.#stream?.cancel();
  }

  #receive(response: IWatchResponse): void {
    if (this.#ended) return;
    this.#lastSeenMs = performance.now();
    const isProgress = !response.canceled && !response.created && response.events.length === 0;
    if (isProgress && this.#requestedAtMs !== null) this.#since = this.#requestedAtRevision;
    this.#headers.received(headerOf(response.header), this.#since);
    // By what the header showed.
    if (this.#ended) return;
    if (response.canceled) this.break(cancelError(response));
    else if (response.events.length > 0) this.#deliver(response.events);
    else if (isProgress) this.#reportProgress(Number(response.header.revision));
  }

  #deliver(received: readonly IEvent[]): void {
    const events: KvEvent[] = [];
    for (const { type, kv } of received) {
      const revision = Number(kv.mod_revision);
      // Also because old servers send events twice.
      if (revision <= this.#deliveredUpTo) continue;
      if (type === "Put") events.push({ kind: "put", entry: toEntry(kv) });
      else events.push({ kind: "delete", key: kv.key.toString(), revision });
    }
    this.#deliveredUpTo = Math.max(this.#deliveredUpTo, Number(received.at(-1)?.kv.mod_revision ?? 0));
    if (events.length > 0) this.#listener.onEvents(events);
  }

  #reportProgress(revision: number): void {
    // etcd leaves out responses while events wait to be sent: this one may be to a later request, and is no older.
    const requestedAtMs = this.#requestedAtMs;
    this.#requestedAtMs = null;
    if (requestedAtMs !== null) this.#listener.onProgress(revision, performance.now() - requestedAtMs);
  }

  #requestProgress(stream: WatchStream): void {
    const nowMs = performance.now();
    const silentMs = nowMs - this.#lastSeenMs;
    if (silentMs > SILENCE_MAX_MS) {
      this.break(new StoreUnavailableError(`the watch was silent for ${silentMs} ms`));
      return;
    }
    if (this.#requestedAtMs === null) {
      this.#requestedAtMs = nowMs;
      this.#requestedAtRevision = this.#headers.revision();
    }
    stream.write({ progress_request: {} });
  }

  /** Ends it and says so to the listener. */
  break(error: Error): void {
    if (this.#ended) return;
    this.stop();
    this.#listener.onBroken(error);
  }
}

function cancelError(response: IWatchResponse): Error {
  if (Number(response.compact_revision) > 0) {
    return new CompactedError(`the watch fell behind the compaction at ${response.compact_revision}`);
  }
  return new StoreUnavailableError(`etcd cancelled the watch: ${response.cancel_reason}`);
}
