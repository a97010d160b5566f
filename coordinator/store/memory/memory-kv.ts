/** The in-memory twin of etcd/etcd-kv.ts, with failures on demand. Several over one Memory are several coordinators. */
import {
  type Kv,
  type KvEvent,
  type Lease,
  OutcomeUnknownError,
  StoreChangedError,
  StoreFullError,
  StoreUnavailableError,
  type Txn,
  type TxnOutcome,
  type WatchListener,
} from "../kv.ts";
import { Memory, revisionOf } from "./memory.ts";

/** What becomes of the response to a transaction. */
export type LostAnswer = "lost before it was applied" | "lost after it was applied" | "lost, and applied later";

interface MemoryFaults {
  /** Every call is refused, watches break and leases are not renewed. */
  away: boolean;
  /** What writes is refused; reads and removals are not. */
  full: boolean;
  /** Leases are not renewed. */
  renewalsLost: boolean;
  /** Taken from the front, one for each transaction. */
  readonly lostAnswers: LostAnswer[];
  /** Transactions that were lost and shall be applied later; call them. */
  readonly later: (() => void)[];
  /** Breaks every watch of this connection. */
  breakWatches(): void;
  /** From now on it is another store: watches break, leases are over, and every call is rejected. */
  change(): void;
}

export interface MemoryKv extends Kv {
  readonly faults: MemoryFaults;
}

const WATCH_PROGRESS_MS = 200;

export function memoryKv(memory: Memory = new Memory()): MemoryKv {
  return new Connection(memory);
}

class Connection implements MemoryKv {
  readonly faults: MemoryFaults = {
    away: false,
    full: false,
    renewalsLost: false,
    lostAnswers: [],
    later: [],
    breakWatches: () => {
      for (const watch of [...this.#watches]) watch.break(new StoreUnavailableError("the watch broke"));
    },
    change: () => {
      this.#changed = new StoreChangedError("it is another store");
      for (const watch of [...this.#watches]) watch.break(this.#changed);
      for (const stop of [...this.#stopLeases]) stop();
    },
  };
  readonly #memory: Memory;
  readonly #watches = new Set<MemoryWatch>();
  readonly #stopLeases = new Set<() => void>();
  #changed: StoreChangedError | null = null;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async read(keys: readonly string[], at?: number) {
    await this.#reach();
    return { revision: this.#memory.revision, entries: keys.map((key) => this.#memory.read(key, at)) };
  }

  async range(prefix: string, page: { readonly afterKey?: string; readonly limit: number; readonly at?: number }) {
    await this.#reach();
    return this.#memory.range(prefix, page);
  }

  async txn(txn: Txn): Promise<TxnOutcome> {
    await this.#reach();
    if (this.faults.full && txn.puts.length > 0) throw new StoreFullError("the store is full");
    const lost = this.faults.lostAnswers.shift();
    if (lost === undefined) return this.#memory.apply(txn);
    if (lost === "lost after it was applied") this.#memory.apply(txn);
    if (lost === "lost, and applied later") this.faults.later.push(() => this.#memory.apply(txn));
    throw new OutcomeUnknownError(`the response was ${lost}`);
  }

  watch(prefix: string, fromRevision: number, listener: WatchListener, signal: AbortSignal): void {
    const watch = new MemoryWatch(this.#memory, prefix, listener, () => {
      this.#watches.delete(watch);
      signal.removeEventListener("abort", stop);
    });
    const stop = () => watch.stop();
    if (signal.aborted) return;
    this.#watches.add(watch);
    signal.addEventListener("abort", stop, { once: true });
    if (this.faults.away) watch.break(new StoreUnavailableError("the store is away"));
    else watch.start(fromRevision, () => this.faults.away);
  }

  async lease(ttlMs: number): Promise<Lease> {
    await this.#reach();
    const id = this.#memory.grantLease(ttlMs);
    let aliveUntilMs = this.#memory.clock.monotonicMs() + ttlMs;
    const timer = setInterval(() => {
      this.#memory.expireLeases();
      if (this.faults.away || this.faults.renewalsLost) return;
      aliveUntilMs = this.#memory.renewLease(id) ? this.#memory.clock.monotonicMs() + ttlMs : 0;
    }, ttlMs / 3).unref();
    const stop = () => {
      clearInterval(timer);
      this.#stopLeases.delete(stop);
    };
    this.#stopLeases.add(stop);
    return {
      id,
      remainingMs: () => (this.#changed === null ? aliveUntilMs - this.#memory.clock.monotonicMs() : 0),
      revoke: async () => {
        stop();
        aliveUntilMs = 0;
        await this.#reach();
        this.#memory.revokeLease(id);
      },
    };
  }

  async close(): Promise<void> {
    for (const stop of [...this.#stopLeases]) stop();
    for (const watch of [...this.#watches]) watch.stop();
  }

  /** Every call takes a turn of the event loop, as a real one takes at least one. */
  async #reach(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#changed !== null) throw this.#changed;
    if (this.faults.away) throw new StoreUnavailableError("the store is away");
    this.#memory.expireLeases();
  }
}

class MemoryWatch {
  readonly #memory: Memory;
  readonly #prefix: string;
  readonly #listener: WatchListener;
  readonly #onEnd: () => void;
  readonly #queue: KvEvent[] = [];
  #unsubscribe: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #scheduled = false;
  #progressDue = false;
  #ended = false;

  constructor(memory: Memory, prefix: string, listener: WatchListener, onEnd: () => void) {
    this.#memory = memory;
    this.#prefix = prefix;
    this.#listener = listener;
    this.#onEnd = onEnd;
  }

  start(fromRevision: number, isAway: () => boolean): void {
    try {
      if (fromRevision <= this.#memory.revision) this.#enqueue(this.#memory.eventsFrom(fromRevision));
    } catch (error) {
      this.break(error as Error);
      return;
    }
    this.#unsubscribe = this.#memory.onEvents((events) => {
      this.#enqueue(events.filter((event) => revisionOf(event) >= fromRevision));
    });
    this.#timer = setInterval(() => {
      this.#memory.expireLeases();
      if (isAway()) this.break(new StoreUnavailableError("the store is away"));
      else if (this.#scheduled) this.#progressDue = true;
      else this.#reportProgress();
    }, WATCH_PROGRESS_MS).unref();
  }

  /** The listener is called in a later turn of the event loop, as with a real connection. */
  break(error: Error): void {
    if (this.#ended) return;
    this.stop();
    setImmediate(() => this.#listener.onBroken(error));
  }

  stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#unsubscribe();
    clearInterval(this.#timer);
    this.#onEnd();
  }

  #reportProgress(): void {
    this.#listener.onProgress(this.#memory.revision, 0);
    this.#listener.onCurrent?.(0);
  }

  #enqueue(events: readonly KvEvent[]): void {
    for (const event of events) if (keyOf(event).startsWith(this.#prefix)) this.#queue.push(event);
    if (this.#scheduled || this.#queue.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const batch = this.#queue.splice(0);
      if (!this.#ended) this.#listener.onEvents(batch);
      if (!this.#ended && this.#progressDue) this.#reportProgress();
      this.#progressDue = false;
    });
  }
}

function keyOf(event: KvEvent): string {
  return event.kind === "put" ? event.entry.key : event.key;
}
