/**
 * A key-value store in this process with etcd's semantics: one revision over all keys, history for watches and
 * past reads until compaction, leases that end. Any number of memory-kv.ts connections share one.
 */
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { CompactedError, type Entry, type KvEvent, StoreRefusedError, type Txn, type TxnOutcome } from "../kv.ts";

/** Beyond this the oldest history is compacted away, so that a long simulation stays small. */
const HISTORY_EVENTS_MAX = 200_000;
/** etcd's defaults: `--max-txn-ops` and `--max-request-bytes`. */
const TXN_OPS_MAX = 128;
const TXN_BYTES_MAX = 1.5 * 1024 * 1024;

interface MemoryLease {
  readonly ttlMs: number;
  readonly keys: Set<string>;
  expiresAtMs: number;
}

interface Page {
  readonly afterKey?: string;
  readonly limit: number;
  readonly at?: number;
}

interface Range {
  readonly revision: number;
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

export class Memory {
  readonly clock: Clock;
  #revision = 1;
  #compacted = 0;
  /** Versions of each key, oldest first; a null value is a deletion. */
  readonly #versions = new Map<string, { readonly revision: number; readonly value: Buffer | null }[]>();
  readonly #leaseOfKey = new Map<string, string>();
  readonly #leases = new Map<string, MemoryLease>();
  readonly #listeners = new Set<(events: readonly KvEvent[]) => void>();
  #history: KvEvent[] = [];
  #leaseCount = 0;

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
  }

  get revision(): number {
    return this.#revision;
  }

  read(key: string, at = this.#revision): Entry | null {
    if (at < this.#compacted) throw new CompactedError(`revision ${at} was compacted at ${this.#compacted}`);
    const version = this.#versions.get(key)?.findLast((candidate) => candidate.revision <= at);
    return version === undefined || version.value === null
      ? null
      : { key, value: version.value, revision: version.revision };
  }

  range(prefix: string, { afterKey = "", limit, at = this.#revision }: Page): Range {
    if (at < this.#compacted) throw new CompactedError(`revision ${at} was compacted at ${this.#compacted}`);
    const keys = [...this.#versions.keys()].filter((key) => key.startsWith(prefix) && key > afterKey).sort();
    const entries = keys.map((key) => this.read(key, at)).filter((entry) => entry !== null);
    return { revision: this.#revision, entries: entries.slice(0, limit), more: entries.length > limit };
  }

  apply(txn: Txn): TxnOutcome {
    this.#refuse(txn);
    const current = txn.compares.map(({ key }) => this.read(key));
    if (txn.compares.some(({ revision }, i) => (current[i]?.revision ?? 0) !== revision)) {
      return { applied: false, revision: this.#revision, current };
    }
    this.#refuseEndedLeases(txn);
    this.#write(txn);
    return { applied: true, revision: this.#revision };
  }

  /** Events from `revision` on; throws when they are gone. */
  eventsFrom(revision: number): readonly KvEvent[] {
    if (revision <= this.#compacted) throw new CompactedError(`revision ${revision} was compacted`);
    const start = this.#history.findIndex((event) => revisionOf(event) >= revision);
    return start === -1 ? [] : this.#history.slice(start);
  }

  onEvents(listener: (events: readonly KvEvent[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets history before `revision`: older reads and watches are refused from now on. */
  compact(revision = this.#revision): void {
    this.#compacted = Math.max(this.#compacted, revision);
    this.#history = this.#history.filter((event) => revisionOf(event) > revision);
    for (const [key, versions] of this.#versions) {
      const newestOld = versions.findLastIndex((version) => version.revision <= revision);
      if (newestOld > 0) versions.splice(0, newestOld);
      if (versions.length === 1 && versions[0]?.value === null) this.#versions.delete(key);
    }
  }

  grantLease(ttlMs: number): string {
    const id = String(++this.#leaseCount);
    this.#leases.set(id, { ttlMs, keys: new Set(), expiresAtMs: this.clock.monotonicMs() + ttlMs });
    return id;
  }

  /** False when the lease has ended. */
  renewLease(id: string): boolean {
    this.expireLeases();
    const lease = this.#leases.get(id);
    if (lease === undefined) return false;
    lease.expiresAtMs = this.clock.monotonicMs() + lease.ttlMs;
    return true;
  }

  revokeLease(id: string): void {
    const lease = this.#leases.get(id);
    this.#leases.delete(id);
    if (lease !== undefined && lease.keys.size > 0) this.#write({ compares: [], puts: [], deletes: [...lease.keys] });
  }

  /** Ends the leases whose time is over. */
  expireLeases(): void {
    const now = this.clock.monotonicMs();
    for (const [id, lease] of this.#leases) if (lease.expiresAtMs <= now) this.revokeLease(id);
  }

  #refuse({ compares, puts, deletes }: Txn): void {
    const written = [...puts.map((put) => put.key), ...deletes];
    if (Math.max(written.length, compares.length) > TXN_OPS_MAX) throw new StoreRefusedError("too many operations");
    if (puts.reduce((bytes, put) => bytes + put.value.length, 0) > TXN_BYTES_MAX) {
      throw new StoreRefusedError("the request is too large");
    }
    if (new Set(written).size !== written.length) throw new StoreRefusedError("a key is written twice");
  }

  /** As etcd, which looks at them only where the compares hold. */
  #refuseEndedLeases({ puts }: Txn): void {
    const lost = puts.find(({ leaseId }) => leaseId !== undefined && !this.#leases.has(leaseId));
    if (lost !== undefined) throw new StoreRefusedError(`lease of ${lost.key} not found`);
  }

  #write(txn: Txn): void {
    const deletes = txn.deletes.filter((key) => this.read(key) !== null);
    if (txn.puts.length + deletes.length === 0) return;
    const revision = ++this.#revision;
    const events: KvEvent[] = [];
    for (const put of txn.puts) {
      this.#attach(put.key, put.leaseId);
      // Copied, as a network would: a caller that reuses its buffer changes nothing here.
      const value = Buffer.from(put.value);
      this.#append(put.key, revision, value);
      events.push({ kind: "put", entry: { key: put.key, value, revision } });
    }
    for (const key of deletes) {
      this.#attach(key, undefined);
      this.#append(key, revision, null);
      events.push({ kind: "delete", key, revision });
    }
    this.#history.push(...events);
    const middle = this.#history[HISTORY_EVENTS_MAX / 2];
    if (this.#history.length > HISTORY_EVENTS_MAX && middle !== undefined) this.compact(revisionOf(middle));
    for (const listener of [...this.#listeners]) listener(events);
  }

  #append(key: string, revision: number, value: Buffer | null): void {
    const versions = this.#versions.get(key);
    if (versions === undefined) this.#versions.set(key, [{ revision, value }]);
    else versions.push({ revision, value });
  }

  #attach(key: string, leaseId: string | undefined): void {
    const before = this.#leaseOfKey.get(key);
    if (before !== undefined) this.#leases.get(before)?.keys.delete(key);
    this.#leaseOfKey.delete(key);
    if (leaseId === undefined) return;
    this.#leaseOfKey.set(key, leaseId);
    this.#leases.get(leaseId)?.keys.add(key);
  }
}

export function revisionOf(event: KvEvent): number {
  return event.kind === "put" ? event.entry.revision : event.revision;
}
