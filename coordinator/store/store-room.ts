/**
 * Whether the store still has room for writes. One that is full serves reads as ever, so it is known by the outcome
 * of writes: a rejection counts for a minute, unless a write goes through before.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type Kv, StoreFullError, type Txn } from "./kv.ts";

const COUNTS_FOR_MS = 60_000;

export interface StoreRoomOptions {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Logger, "error" | "info">;
}

export class StoreRoom {
  readonly #options: StoreRoomOptions;
  #fullUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: StoreRoomOptions) {
    this.#options = options;
  }

  isFull(): boolean {
    return this.#options.clock.monotonicMs() < this.#fullUntilMs;
  }

  /** The store, whose writes are noted here. */
  noting(kv: Kv): Kv {
    return {
      read: (keys, at) => kv.read(keys, at),
      range: (prefix, page) => kv.range(prefix, page),
      txn: async (txn) => {
        const answer = await this.#noteRefusal(kv.txn(txn));
        if (answer.applied) this.#applied(txn);
        return answer;
      },
      watch: (prefix, fromRevision, listener, signal) => kv.watch(prefix, fromRevision, listener, signal),
      lease: (ttlMs) => this.#noteRefusal(kv.lease(ttlMs)),
      close: () => kv.close(),
    };
  }

  async #noteRefusal<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof StoreFullError) this.#refused(error);
      throw error;
    }
  }

  /** What only removes goes through in a full one too. */
  #applied({ puts }: Txn): void {
    if (!this.isFull() || puts.length === 0) return;
    this.#fullUntilMs = Number.NEGATIVE_INFINITY;
    this.#options.log.info("the store accepts writes again");
  }

  #refused(error: StoreFullError): void {
    const { clock, log } = this.#options;
    if (!this.isFull()) {
      const advice = "compact and defragment it or raise its quota, then disarm its NOSPACE alarm";
      log.error({ err: error }, `the store is full and rejects writes: ${advice}`);
    }
    this.#fullUntilMs = clock.monotonicMs() + COUNTS_FOR_MS;
  }
}
