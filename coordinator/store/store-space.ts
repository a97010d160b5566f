/**
 * How much of the store is in use, as last measured, and whether that is so much that creations are rejected. Until it is
 * measured for the first time, and while it cannot be, the last decision stands.
 */
import type { Logger } from "@elastic/std/log.ts";
import { inUsePercent, isNearlyFull, type StoreSize } from "./nearly-full.ts";

export interface StoreSpaceOptions {
  readonly thresholdPercent: number;
  readonly log: Pick<Logger, "warn" | "info">;
}

export class StoreSpace {
  readonly #options: StoreSpaceOptions;
  #size: StoreSize | null = null;
  #isNearlyFull = false;

  constructor(options: StoreSpaceOptions) {
    this.#options = options;
  }

  /** Null until it is measured for the first time. */
  size(): StoreSize | null {
    return this.#size;
  }

  isNearlyFull(): boolean {
    return this.#isNearlyFull;
  }

  measured(size: StoreSize): void {
    const { thresholdPercent, log } = this.#options;
    const before = this.#isNearlyFull;
    this.#size = size;
    this.#isNearlyFull = isNearlyFull(size, thresholdPercent, before);
    if (this.#isNearlyFull === before) return;
    const facts = { ...size, inUsePercent: Math.round(inUsePercent(size)), thresholdPercent };
    if (before) log.info(facts, "the store has room again: creations are accepted");
    else log.warn(facts, "the store is nearly full: creations are rejected with 429 until it has room again");
  }
}
