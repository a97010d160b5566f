/**
 * The port to the key-value store: etcd's semantics and nothing else. Implemented by etcd/ and, for tests and
 * simulation, by memory/; both pass kv.contract.component.test.ts.
 *
 * Revisions are the store's own: they count up over all keys, and a key's revision is that of its last write.
 */

/** Part of a key-value store's state at some revision. */
export interface Entry {
  readonly key: string;
  readonly value: Buffer;
  readonly revision: number;
}

/** Holds if the key was last written at `revision`; 0 means that it does not exist. */
export interface Compare {
  readonly key: string;
  readonly revision: number;
}

export interface Put {
  readonly key: string;
  readonly value: Buffer;
  /** Ends with this lease; for signs of life only, never for state. */
  readonly leaseId?: string;
}

/** All compares hold and all writes happen at one revision, or none does. No key may be written twice. */
export interface Txn {
  readonly compares: readonly Compare[];
  readonly puts: readonly Put[];
  readonly deletes: readonly string[];
}

export type TxnOutcome =
  | { readonly applied: true; readonly revision: number }
  /** `current` has what each compared key holds, in the order of the compares. */
  | { readonly applied: false; readonly revision: number; readonly current: readonly (Entry | null)[] };

export type KvEvent =
  | { readonly kind: "put"; readonly entry: Entry }
  | { readonly kind: "delete"; readonly key: string; readonly revision: number };

export interface WatchListener {
  /** Events of one or more complete revisions, in order. */
  onEvents(events: readonly KvEvent[]): void;
  /**
   * The watch is known to be complete up to `revision`, that of the server that it goes to of `agoMs` or fewer milliseconds
   * ago: a sign of life of an idle watch. The server may be cut off from the others.
   */
  onProgress(revision: number, agoMs: number): void;
  /** All that was written anywhere up to `agoMs` milliseconds ago has come. Reported only where it is asked for. */
  onCurrent?(agoMs: number): void;
  /** The watch cannot continue (compaction, or it broke): list again, then watch again. Called once. */
  onBroken(error: Error): void;
}

export interface Lease {
  readonly id: string;
  /**
   * Milliseconds for which the lease is surely alive, counted on this process's monotonic clock from the
   * sending of the last acknowledged renewal; 0 or less once that is over.
   */
  remainingMs(): number;
  /** Ends the lease and stops renewing. */
  revoke(): Promise<void>;
}

export interface Kv {
  /**
   * Linearizable. In the order of the keys; `revision` is the store's at that moment. With `at`, as it was at that
   * revision: rejects with `CompactedError` once that history is gone.
   */
  read(
    keys: readonly string[],
    at?: number,
  ): Promise<{ readonly revision: number; readonly entries: readonly (Entry | null)[] }>;
  /** The same for keys under `prefix` greater than `afterKey`, in order, at most `limit`. */
  range(
    prefix: string,
    page: { readonly afterKey?: string; readonly limit: number; readonly at?: number },
  ): Promise<{ readonly revision: number; readonly entries: readonly Entry[]; readonly more: boolean }>;
  /**
   * Sent once, never repeated by the implementation. Rejects with `OutcomeUnknownError`, `StoreUnavailableError` or
   * `StoreRefusedError`.
   */
  txn(txn: Txn): Promise<TxnOutcome>;
  /** Every event under `prefix` from `fromRevision` on, exactly once and in order, until `signal` aborts or it breaks. */
  watch(prefix: string, fromRevision: number, listener: WatchListener, signal: AbortSignal): void;
  /** A lease that renews itself at a third of `ttlMs`. */
  lease(ttlMs: number): Promise<Lease>;
  close(): Promise<void>;
}

/** The store did not take the request; nothing was written. */
export class StoreUnavailableError extends Error {
  override readonly name: string = "StoreUnavailableError";
}

/** It responds, but has no room for writes. */
export class StoreFullError extends StoreUnavailableError {
  override readonly name = "StoreFullError";
}

/**
 * It is not the store that this coordinator knew: an older copy of it, an emptied one, or another. The message is for its
 * operator. Nothing is read from it or written to it any more.
 */
export class StoreChangedError extends StoreUnavailableError {
  override readonly name = "StoreChangedError";
}

/** The response was lost: the transaction may have been applied, or may still be. */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
}

/** The store will never accept this request: too large, too many operations, a key written twice. */
export class StoreRefusedError extends Error {
  override readonly name = "StoreRefusedError";
}

/** The requested revision is older than the last compaction. */
export class CompactedError extends Error {
  override readonly name = "CompactedError";
}
