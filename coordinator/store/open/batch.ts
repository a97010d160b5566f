/**
 * Which commits may share a transaction. No two may touch the same key, but for equal compares (the leader's
 * epoch, a record that several rely on), which are sent once. Pure.
 */
import type { Txn } from "../kv.ts";
import type { PreparedCommit } from "./prepared-commit.ts";

export interface BatchLimits {
  readonly commitsMax: number;
  /** Of compares, and of writes, each. etcd's `--max-txn-ops` is 128 unless set. */
  readonly opsMax: number;
  /** etcd refuses requests over 1.5 MiB. */
  readonly bytesMax: number;
}

const BATCH_LIMITS: BatchLimits = { commitsMax: 40, opsMax: 120, bytesMax: 512 * 1024 };

export class Batch {
  readonly #limits: BatchLimits;
  readonly #commits: PreparedCommit[] = [];
  readonly #compares = new Map<string, number>();
  readonly #written = new Set<string>();
  #bytes = 0;

  constructor(limits: BatchLimits = BATCH_LIMITS) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#commits.length >= this.#limits.commitsMax;
  }

  /** Takes the commit in if it fits. The first always does: what is too large alone is the server's to refuse. */
  add(commit: PreparedCommit): boolean {
    if (this.#commits.length > 0 && !(this.#hasRoomFor(commit) && this.#isApartFrom(commit))) return false;
    this.#commits.push(commit);
    for (const { key, revision } of commit.compares) this.#compares.set(key, revision);
    for (const { key } of commit.puts) this.#written.add(key);
    for (const key of commit.deletes) this.#written.add(key);
    this.#bytes += commit.bytes;
    return true;
  }

  txn(): Txn {
    return {
      compares: [...this.#compares].map(([key, revision]) => ({ key, revision })),
      puts: this.#commits.flatMap((commit) => commit.puts),
      deletes: this.#commits.flatMap((commit) => commit.deletes),
    };
  }

  #hasRoomFor(commit: PreparedCommit): boolean {
    const { commitsMax, opsMax, bytesMax } = this.#limits;
    return (
      this.#commits.length < commitsMax &&
      this.#compares.size + commit.compares.length <= opsMax &&
      this.#written.size + commit.puts.length + commit.deletes.length <= opsMax &&
      this.#bytes + commit.bytes <= bytesMax
    );
  }

  #isApartFrom(commit: PreparedCommit): boolean {
    for (const { key, revision } of commit.compares) {
      if (this.#written.has(key) || (this.#compares.get(key) ?? revision) !== revision) return false;
    }
    for (const { key } of commit.puts) if (this.#isTouched(key)) return false;
    for (const key of commit.deletes) if (this.#isTouched(key)) return false;
    return true;
  }

  #isTouched(key: string): boolean {
    return this.#written.has(key) || this.#compares.has(key);
  }
}
