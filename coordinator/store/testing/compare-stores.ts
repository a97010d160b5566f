/**
 * The same random operations on two stores, one after the other: transactions with compares and leases, reads and ranges of now
 * and of before, watches from before, compactions. What they respond is made comparable by counting revisions from the first.
 */
import type { Random } from "@elastic/test/simulation/random.ts";
import type { Entry, Kv, KvEvent, Lease, Txn } from "../kv.ts";
import type { Backend } from "./backends.ts";

const PREFIX = "/compared/";
const KEYS = Array.from({ length: 12 }, (_, index) => `${PREFIX}${index < 6 ? "a" : "b"}/${index}`);
const LEASE_MS = 600_000;
/** The id of none. */
const NO_LEASE = "999999";

/** Revisions are relative to the first. */
type Operation =
  | {
      readonly kind: "txn";
      readonly compares: readonly { readonly key: string; readonly revision: number }[];
      readonly puts: readonly { readonly key: string; readonly value: string; readonly lease: number | null }[];
      readonly deletes: readonly string[];
    }
  | { readonly kind: "read"; readonly keys: readonly string[]; readonly at: number | null }
  | {
      readonly kind: "range";
      readonly prefix: string;
      readonly afterKey: string | null;
      readonly limit: number;
      readonly at: number | null;
    }
  | { readonly kind: "compact"; readonly revision: number }
  | { readonly kind: "grant" }
  | { readonly kind: "revoke"; readonly lease: number }
  | { readonly kind: "watch"; readonly prefix: string; readonly from: number };

export interface ComparedStore {
  apply(operation: Operation): Promise<unknown>;
  /** What each watch has brought, and whether it ended. */
  watched(): readonly unknown[];
  /** The revision, relative to the first. */
  revision(): Promise<number>;
  stop(): void;
}

export async function openCompared(backend: Backend): Promise<ComparedStore> {
  const { kv } = await backend.connect();
  const base = (await kv.txn({ compares: [], puts: [{ key: `${PREFIX}0`, value: Buffer.from("") }], deletes: [] }))
    .revision;
  return new Compared(backend, kv, base);
}

class Compared implements ComparedStore {
  readonly #backend: Backend;
  readonly #kv: Kv;
  readonly #base: number;
  readonly #leases: Lease[] = [];
  readonly #watches: { readonly events: unknown[]; ended: string | null }[] = [];
  readonly #stopping = new AbortController();

  constructor(backend: Backend, kv: Kv, base: number) {
    this.#backend = backend;
    this.#kv = kv;
    this.#base = base;
  }

  async apply(operation: Operation): Promise<unknown> {
    try {
      return await this.#try(operation);
    } catch (error) {
      return (error as Error).name;
    }
  }

  watched(): readonly unknown[] {
    return this.#watches;
  }

  async revision(): Promise<number> {
    return (await this.#kv.read([])).revision - this.#base;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #try(operation: Operation): Promise<unknown> {
    switch (operation.kind) {
      case "txn":
        return this.#responseOf(await this.#kv.txn(this.#txnOf(operation)));
      case "read": {
        const { keys, at } = operation;
        return this.#responseOf(await this.#kv.read(keys, at === null ? undefined : at + this.#base));
      }
      case "range": {
        const { prefix, afterKey, limit, at } = operation;
        const page = { limit, ...(afterKey && { afterKey }), ...(at !== null && { at: at + this.#base }) };
        return this.#responseOf(await this.#kv.range(prefix, page));
      }
      case "compact":
        return await this.#backend.compact(operation.revision + this.#base);
      case "grant":
        return void this.#leases.push(await this.#kv.lease(LEASE_MS));
      case "revoke":
        return await this.#leases[operation.lease]?.revoke();
      case "watch":
        await this.#watch(operation.prefix, operation.from + this.#base);
    }
    return undefined;
  }

  #txnOf({ compares, puts, deletes }: Extract<Operation, { kind: "txn" }>): Txn {
    return {
      compares: compares.map(({ key, revision }) => ({ key, revision: revision === 0 ? 0 : revision + this.#base })),
      puts: puts.map(({ key, value, lease }) => {
        const leaseId = lease === null ? undefined : (this.#leases[lease]?.id ?? NO_LEASE);
        return { key, value: Buffer.from(value), ...(leaseId !== undefined && { leaseId }) };
      }),
      deletes,
    };
  }

  /** Resolves once the store has it: a compaction that comes first would end it. */
  #watch(prefix: string, fromRevision: number): Promise<void> {
    const watch: { readonly events: unknown[]; ended: string | null } = { events: [], ended: null };
    this.#watches.push(watch);
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = {
      onEvents: (events: readonly KvEvent[]) => {
        for (const event of events) {
          watch.events.push(event.kind === "put" ? this.#entry(event.entry) : [event.key, event.revision - this.#base]);
        }
        resolve();
      },
      onProgress: () => resolve(),
      onBroken: (error: Error) => {
        watch.ended = error.name;
        resolve();
      },
    };
    this.#kv.watch(prefix, fromRevision, listener, this.#stopping.signal);
    return promise;
  }

  #responseOf<T extends { readonly revision: number }>(response: T): unknown {
    const entries = "entries" in response ? (response.entries as readonly (Entry | null)[]) : null;
    const current = "current" in response ? (response.current as readonly (Entry | null)[]) : null;
    return {
      ...response,
      revision: response.revision - this.#base,
      ...(entries && { entries: entries.map((entry) => this.#entry(entry)) }),
      ...(current && { current: current.map((entry) => this.#entry(entry)) }),
    };
  }

  #entry(entry: Entry | null): unknown {
    return entry && [entry.key, entry.value.toString(), entry.revision - this.#base];
  }
}

/** Draws operations that are possible in the state that those before led to. */
export class Operations {
  readonly #random: Random;
  /** Of the last write of each key, as far as it is known. */
  readonly #revisions = new Map<string, number>();
  #leases = 0;
  #compacted = -1;
  #values = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** `revision`: the store's now. */
  next(revision: number): Operation {
    const random = this.#random;
    const drawn = random.next();
    const past = () => Math.max(0, revision - random.below(12));
    const at = () => (random.chance(0.5) ? null : past());
    if (drawn < 0.55) return this.#txn(revision);
    if (drawn < 0.65) return { kind: "read", keys: this.#keys(3), at: at() };
    if (drawn < 0.75) {
      const prefix = this.#prefix();
      const afterKey = random.chance(0.5) ? null : random.pick(KEYS.filter((key) => key.startsWith(prefix)));
      return { kind: "range", prefix, afterKey, limit: 1 + random.below(8), at: at() };
    }
    if (drawn < 0.82) return { kind: "watch", prefix: this.#prefix(), from: past() };
    if (drawn < 0.85 && revision > this.#compacted) {
      this.#compacted = this.#compacted + 1 + random.below(revision - this.#compacted);
      return { kind: "compact", revision: this.#compacted };
    }
    if (drawn < 0.92 || this.#leases === 0) {
      this.#leases += 1;
      return { kind: "grant" };
    }
    return { kind: "revoke", lease: random.below(this.#leases) };
  }

  /** What an operation at `revision` wrote. */
  note(operation: Operation, revision: number): void {
    if (operation.kind !== "txn") return;
    for (const { key } of operation.puts) this.#revisions.set(key, revision);
    for (const key of operation.deletes) this.#revisions.delete(key);
  }

  #txn(revision: number): Operation {
    const random = this.#random;
    const compares = this.#keys(3).map((key) => {
      const known = this.#revisions.get(key) ?? 0;
      return { key, revision: random.chance(0.85) ? known : random.below(revision + 1) };
    });
    const puts = this.#keys(4).map((key) => ({
      key,
      value: `${++this.#values}`,
      lease: random.chance(0.3) ? random.below(this.#leases + 1) : null,
    }));
    const isTwice = random.chance(0.03);
    const deletes = this.#keys(3).filter((key) => isTwice || puts.every((put) => put.key !== key));
    return { kind: "txn", compares: random.chance(0.3) ? [] : compares, puts, deletes };
  }

  #keys(most: number): string[] {
    const count = this.#random.below(most + 1);
    return [...new Set(Array.from({ length: count }, () => this.#random.pick(KEYS)))];
  }

  #prefix(): string {
    return this.#random.pick([PREFIX, `${PREFIX}a/`, `${PREFIX}b/`]);
  }
}
