/**
 * Concurrent commits share transactions. Where few are under way each goes at once, since a transaction that waits for
 * others adds their time to its own; where many are, two transactions are in flight, and what arrives meanwhile goes with
 * the next. Each commit gets its own result: when the compares of a shared
 * transaction fail, those that lost are rejected and the others are sent again.
 *
 * A response that is lost is settled, never guessed: the commit is sent again, which either applies it (then the lost
 * request cannot be), or fails its compares, and then the records show who wrote them (own-write.ts).
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import {
  type Entry,
  type Kv,
  OutcomeUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
  type Txn,
  type TxnOutcome,
} from "../kv.ts";
import type { CommitOutcome } from "../store.ts";
import { Batch } from "./batch.ts";
import { findOwnWrite } from "./own-write.ts";
import type { PreparedCommit } from "./prepared-commit.ts";

/** Transactions in flight, however many commits they have. */
const IN_FLIGHT_MIN = 2;
/** While fewer commits than this are in flight, transactions may be more. */
const FEW_COMMITS = 6;
const IN_FLIGHT_MAX = 4;
const WAITING_MAX = 20_000;
/** Commits looked at when a transaction is put together. */
const LOOK_AHEAD = 200;
/** What has no response by then is reported as unavailable. */
const ANSWER_WITHIN_MS = 5_000;
const RESEND_DELAY_MS = 50;

interface Waiting {
  readonly commit: PreparedCommit;
  readonly deadlineMs: number;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: Error) => void;
  /** It was sent and the response lost: it may have been applied. */
  uncertain: boolean;
  /** The server refused the transaction it shared. */
  alone: boolean;
}

export interface GroupCommitOptions {
  readonly kv: Kv;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called before the commit resolves. */
  readonly onCommitted: (commit: PreparedCommit, revision: number) => void;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #queue: Waiting[] = [];
  /** Transactions, and the commits in them. */
  #inFlight = 0;
  #commitsInFlight = 0;
  #scheduled = false;
  #closed = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  commit(commit: PreparedCommit): Promise<CommitOutcome> {
    if (this.#closed) return Promise.reject(new StoreUnavailableError("the store is closed"));
    if (this.#queue.length >= WAITING_MAX) {
      return Promise.reject(new StoreUnavailableError(`${WAITING_MAX} commits are waiting already`));
    }
    return new Promise((resolve, reject) => {
      const deadlineMs = this.#options.clock.monotonicMs() + ANSWER_WITHIN_MS;
      this.#queue.push({ commit, deadlineMs, resolve, reject, uncertain: false, alone: false });
      this.#schedule();
    });
  }

  /** What still waits is refused; what is in flight completes. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#queue.splice(0)) waiting.reject(new StoreUnavailableError("the store is closed"));
  }

  /** At the end of this turn of the event loop, so that all commits of the turn go together. */
  #schedule(): void {
    if (this.#scheduled || !this.#maySend() || this.#queue.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const { txn, members } = this.#nextBatch();
      if (members.length > 0) void this.#send(txn, members);
      this.#schedule();
    });
  }

  #maySend(): boolean {
    if (this.#inFlight < IN_FLIGHT_MIN) return true;
    return this.#inFlight < IN_FLIGHT_MAX && this.#commitsInFlight < FEW_COMMITS;
  }

  #nextBatch(): { readonly txn: Txn; readonly members: readonly Waiting[] } {
    const now = this.#options.clock.monotonicMs();
    const batch = new Batch();
    const members: Waiting[] = [];
    const left: Waiting[] = [];
    let seen = 0;
    for (; seen < this.#queue.length && seen < LOOK_AHEAD && !batch.isFull; seen++) {
      const waiting = this.#queue[seen];
      if (waiting === undefined) break;
      if (waiting.deadlineMs <= now) {
        waiting.reject(new StoreUnavailableError("the store did not respond in time"));
      } else if (waiting.alone && members.length > 0) {
        left.push(waiting);
      } else if (batch.add(waiting.commit)) {
        members.push(waiting);
        if (waiting.alone) {
          seen++;
          break;
        }
      } else {
        left.push(waiting);
      }
    }
    this.#queue = left.length === 0 ? this.#queue.slice(seen) : left.concat(this.#queue.slice(seen));
    return { txn: batch.txn(), members };
  }

  async #send(txn: Txn, members: readonly Waiting[]): Promise<void> {
    this.#inFlight++;
    this.#commitsInFlight += members.length;
    try {
      this.#answer(txn, members, await this.#options.kv.txn(txn));
    } catch (error) {
      this.#failed(members, error);
    } finally {
      this.#inFlight--;
      this.#commitsInFlight -= members.length;
      this.#schedule();
    }
  }

  #answer(txn: Txn, members: readonly Waiting[], outcome: TxnOutcome): void {
    if (outcome.applied) {
      for (const { commit } of members) this.#options.onCommitted(commit, outcome.revision);
      for (const { resolve } of members) resolve({ kind: "committed", revision: outcome.revision });
      return;
    }
    const current = new Map(txn.compares.map(({ key }, i) => [key, outcome.current[i] ?? null]));
    const lost = members.filter(({ commit }) => !holds(commit, current));
    if (lost.length === 0) throw new Error("a transaction was refused though all its compares hold");
    for (const waiting of lost) {
      if (waiting.uncertain) void this.#settle(waiting, current, outcome.revision);
      else waiting.resolve({ kind: "conflict" });
    }
    this.#again(members.filter((waiting) => !lost.includes(waiting)));
  }

  async #settle(waiting: Waiting, current: ReadonlyMap<string, Entry | null>, now: number): Promise<void> {
    try {
      const revision = await findOwnWrite(this.#options.kv, waiting.commit, current, now);
      if (revision !== null) this.#options.onCommitted(waiting.commit, revision);
      waiting.resolve(revision === null ? { kind: "conflict" } : { kind: "committed", revision });
    } catch (error) {
      this.#failed([waiting], error);
    }
  }

  #failed(members: readonly Waiting[], error: unknown): void {
    if (error instanceof StoreRefusedError && members.length > 1) {
      this.#options.log.warn(
        { err: error, commits: members.length },
        "a shared transaction was rejected; its commits are sent one by one",
      );
      for (const waiting of members) waiting.alone = true;
      this.#again(members);
      return;
    }
    if (error instanceof OutcomeUnknownError) for (const waiting of members) waiting.uncertain = true;
    const again = members.filter((waiting) => isPassing(error) && waiting.uncertain);
    for (const waiting of members) if (!again.includes(waiting)) waiting.reject(answerFor(waiting, error));
    if (again.length > 0) setTimeout(() => this.#again(again), RESEND_DELAY_MS);
  }

  #again(members: readonly Waiting[]): void {
    if (this.#closed) for (const { reject } of members) reject(new StoreUnavailableError("the store is closed"));
    else this.#queue.unshift(...members);
    this.#schedule();
  }
}

function holds(commit: PreparedCommit, current: ReadonlyMap<string, Entry | null>): boolean {
  return commit.compares.every(({ key, revision }) => (current.get(key)?.revision ?? 0) === revision);
}

function isPassing(error: unknown): boolean {
  return error instanceof OutcomeUnknownError || error instanceof StoreUnavailableError;
}

/** Of a commit that may have been applied nothing better can be said than that the store could not be reached. */
function answerFor(waiting: Waiting, error: unknown): Error {
  if (waiting.uncertain && !isPassing(error)) {
    return new StoreUnavailableError("what became of the commit could not be found out", { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}
