/**
 * A watch on etcd's own stream. It never repairs itself: whatever happens to it is reported, and the listener lists
 * again. It requests its progress all the time, since etcd reports it every ten minutes only: a response shows that
 * everything that its member had applied before the request has come. A member that is cut off from the others responds too, so
 * the store's revision is read through consensus as well, and the watch must reach it.
 */
import {
  type Event,
  Event_EventType as EventType,
  type WatchRequest,
  type WatchResponse,
  WatchService,
} from "@elastic/proto/gen/etcd/watch.ts";
import { CompactedError, type KvEvent, StoreUnavailableError, type WatchListener } from "../kv.ts";
import { readError } from "./etcd-errors.ts";
import { endOf, headerOf, toEntry } from "./etcd-messages.ts";
import type { EtcdStreams, MemberStream } from "./etcd-streams.ts";
import type { HeaderSink } from "./header-sink.ts";
import { WatchCurrency } from "./watch-currency.ts";

/** A quarter of the age up to which a view is believed. */
const PROGRESS_EVERY_MS = 250;
/**
 * A watch that does not respond to that many requests in a row hangs: its member is frozen, or its connection dead. Not counted in
 * time, of which a process that was frozen itself has lost some.
 */
const UNANSWERED_MAX = 8;

const PROGRESS_REQUEST: WatchRequest = { requestUnion: { $case: "progressRequest", value: {} } };

type WatchStream = MemberStream<WatchRequest, WatchResponse>;

export interface WatchContext {
  readonly headers: HeaderSink;
  /** Of the store, through consensus; null where the listener has no use for `onCurrent`. */
  readonly readRevision: (() => Promise<number>) | null;
}

export class EtcdWatch {
  readonly #listener: WatchListener;
  readonly #headers: HeaderSink;
  #opened: WatchStream | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Requests for progress since the last response. */
  #unanswered = 0;
  /** Of the first request for progress without a response yet. */
  #requestedAtMs: number | null = null;
  /** The revision known at that moment. */
  #requestedAtRevision = 0;
  /** Of what was sent before the last response: any further one shows it too, unless its member lags. */
  #since: number;
  #deliveredUpTo: number;
  /** Null where the listener has no use for it. */
  readonly #currency: WatchCurrency | null;
  #ended = false;

  constructor(fromRevision: number, listener: WatchListener, { headers, readRevision }: WatchContext) {
    this.#deliveredUpTo = fromRevision - 1;
    this.#listener = listener;
    this.#headers = headers;
    this.#currency = readRevision && new WatchCurrency(readRevision, (agoMs) => listener.onCurrent?.(agoMs));
    this.#since = headers.revision();
  }

  start(streams: EtcdStreams, prefix: string): void {
    const opened = streams.open(WatchService.watch);
    const { stream } = opened;
    this.#opened = opened;
    // Stays attached: a cancelled stream ends with another error.
    stream.on("error", (error: Error) => this.break(readError(error)));
    stream.on("end", () => this.break(new StoreUnavailableError("etcd ended the watch")));
    stream.on("data", (response: WatchResponse) => this.#receive(response));
    const request = {
      key: Buffer.from(prefix),
      rangeEnd: endOf(prefix),
      // One earlier, passed over below: of a watch that starts in the future etcd reports no progress.
      startRevision: BigInt(Math.max(1, this.#deliveredUpTo)),
      progressNotify: true,
    };
    stream.write({ requestUnion: { $case: "createRequest", value: request } });
    this.#timer = setInterval(() => this.#tick(opened), PROGRESS_EVERY_MS).unref();
  }

  stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    this.#opened?.stream.cancel();
  }

  #receive(response: WatchResponse): void {
    if (this.#ended) return;
    this.#unanswered = 0;
    const isProgress = !response.canceled && !response.created && response.events.length === 0;
    if (isProgress && this.#requestedAtMs !== null) this.#since = this.#requestedAtRevision;
    this.#headers.received(headerOf(response), this.#since);
    // By what the header showed.
    if (this.#ended) return;
    if (response.canceled) this.break(cancelError(response));
    else if (response.events.length > 0) this.#deliver(response.events);
    else if (isProgress) this.#reportProgress(headerOf(response).revision);
  }

  #deliver(received: readonly Event[]): void {
    const events: KvEvent[] = [];
    for (const { type, kv } of received) {
      if (kv === undefined) continue;
      const revision = Number(kv.modRevision);
      // Also because old servers send events twice.
      if (revision <= this.#deliveredUpTo) continue;
      if (type === EventType.PUT) events.push({ kind: "put", entry: toEntry(kv) });
      else events.push({ kind: "delete", key: kv.key.toString(), revision });
    }
    this.#deliveredUpTo = Math.max(this.#deliveredUpTo, Number(received.at(-1)?.kv?.modRevision ?? 0));
    if (events.length > 0) this.#listener.onEvents(events);
    this.#currency?.reached(this.#deliveredUpTo);
  }

  #reportProgress(revision: number): void {
    // etcd leaves out responses while events wait to be sent: this one may be to a later request, and is no older.
    const requestedAtMs = this.#requestedAtMs;
    this.#requestedAtMs = null;
    if (requestedAtMs !== null) this.#listener.onProgress(revision, performance.now() - requestedAtMs);
    const others = this.#currency?.lagsBehind(revision) ?? null;
    if (others === null) return;
    this.#opened?.leave();
    this.break(new StoreUnavailableError(`the member of the watch is at revision ${revision}, others at ${others}`));
  }

  #tick(opened: WatchStream): void {
    if (this.#unanswered >= UNANSWERED_MAX) {
      opened.leave();
      this.break(new StoreUnavailableError(`the watch did not respond to ${UNANSWERED_MAX} requests`));
    } else if (this.#currency === null && opened.isLeft()) {
      // What it lists is small. Where it is large, the watch stays as long as it is current.
      this.break(new StoreUnavailableError("something is wrong with the member of the watch"));
    } else {
      this.#requestProgress(opened);
      this.#currency?.tick();
    }
  }

  #requestProgress({ stream }: WatchStream): void {
    this.#unanswered += 1;
    if (this.#requestedAtMs === null) {
      this.#requestedAtMs = performance.now();
      this.#requestedAtRevision = this.#headers.revision();
    }
    stream.write(PROGRESS_REQUEST);
  }

  /** Ends it and says so to the listener. */
  break(error: Error): void {
    if (this.#ended) return;
    this.stop();
    this.#listener.onBroken(error);
  }
}

function cancelError({ compactRevision, cancelReason }: WatchResponse): Error {
  if (compactRevision > 0n) return new CompactedError(`the watch fell behind the compaction at ${compactRevision}`);
  return new StoreUnavailableError(`etcd cancelled the watch: ${cancelReason}`);
}
