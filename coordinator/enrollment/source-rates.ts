/** Rate limit of each address: a token bucket each, the one unused for longest is evicted first. */
import type { Clock } from "@elastic/std/clock.ts";

export interface SourceRate {
  readonly burst: number;
  readonly refillMs: number;
  readonly sourcesMax: number;
}

export class SourceRates {
  readonly #rate: SourceRate;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(rate: SourceRate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
  }

  admits(source: string): boolean {
    const { burst, refillMs, sourcesMax } = this.#rate;
    const nowMs = this.#clock.monotonicMs();
    const before = this.#buckets.get(source) ?? { left: burst, atMs: nowMs };
    const left = Math.min(burst, before.left + (nowMs - before.atMs) / refillMs);
    const isAdmitted = left >= 1;
    this.#buckets.delete(source);
    this.#buckets.set(source, { left: isAdmitted ? left - 1 : left, atMs: nowMs });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= sourcesMax) break;
      this.#buckets.delete(oldest);
    }
    return isAdmitted;
  }
}
