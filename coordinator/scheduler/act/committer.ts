/**
 * Sends the leader's decisions to the store and reports the outcome of each. Every commit compares the leader's
 * epoch, so a deposed leader changes nothing.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { StoreUnavailableError } from "../../store/kv.ts";
import type { Change, Store } from "../../store/store.ts";

/** After a conflict the view is given this long to show what the other writer did. */
const CONFLICT_PAUSE_MS = 100;
const OUTAGE_PAUSE_MS_MIN = 100;
const OUTAGE_PAUSE_MS_MAX = 5_000;
/** What the store will never take is decided again only so often. */
const REFUSAL_PAUSE_MS = 10_000;

export interface Settled {
  readonly committed?: () => void;
  /** The decision does not hold: decide again from the view. */
  readonly refused: () => void;
}

export interface CommitterOptions {
  readonly store: Store;
  readonly epoch: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly conflicted: () => void;
  /** Something settled, so there may be something to decide. */
  readonly wake: () => void;
}

export class Committer {
  readonly #options: CommitterOptions;
  readonly #pauses = new Set<NodeJS.Timeout>();
  #resumeAtMs = 0;
  #outagePauseMs = 0;
  #stopped = false;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  /** While the store is away nothing is decided, since nothing could be committed. */
  isPaused(): boolean {
    return this.#options.clock.monotonicMs() < this.#resumeAtMs;
  }

  commit(changes: readonly Change[], settled: Settled): void {
    void this.#commit(changes, settled);
  }

  stop(): void {
    this.#stopped = true;
    for (const pause of this.#pauses) clearTimeout(pause);
  }

  async #commit(changes: readonly Change[], settled: Settled): Promise<void> {
    const { store, epoch } = this.#options;
    try {
      const outcome = await store.commit(changes, { epoch });
      if (this.#stopped) return;
      this.#recovered();
      if (outcome.kind === "committed") {
        settled.committed?.();
      } else {
        this.#options.conflicted();
        this.#later(CONFLICT_PAUSE_MS, settled.refused);
      }
    } catch (error) {
      if (this.#stopped) return;
      if (error instanceof StoreUnavailableError) this.#outage(error, settled.refused);
      else {
        this.#options.log.error({ err: error }, "the store refused a decision");
        this.#later(REFUSAL_PAUSE_MS, settled.refused);
      }
    }
  }

  #outage(error: Error, refused: () => void): void {
    if (this.#outagePauseMs === 0) this.#options.log.warn({ err: error }, "the store is away; scheduling waits");
    if (!this.isPaused()) {
      this.#outagePauseMs = Math.min(OUTAGE_PAUSE_MS_MAX, Math.max(OUTAGE_PAUSE_MS_MIN, 2 * this.#outagePauseMs));
      this.#resumeAtMs = this.#options.clock.monotonicMs() + this.#outagePauseMs;
    }
    this.#later(this.#outagePauseMs, refused);
  }

  #recovered(): void {
    if (this.#outagePauseMs === 0) return;
    this.#outagePauseMs = 0;
    this.#resumeAtMs = 0;
    this.#options.log.info("the store is back; scheduling resumes");
  }

  #later(pauseMs: number, act: () => void): void {
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      act();
      this.#options.wake();
    }, pauseMs);
    this.#pauses.add(pause);
  }
}
