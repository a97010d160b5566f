/**
 * Requests that follow a log. Each holds memory and a socket, so there are only so many, in all and for one key. When
 * the server stops they are cut, not ended: their clients go on elsewhere, at the byte where they were.
 */
import type { LogMetrics } from "../../metrics/log-metrics.ts";
import { Problem } from "../problem.ts";

const TOTAL_MAX = 5_000;
const KEY_MAX = 200;

export class LogFollowers {
  readonly #metrics: Pick<LogMetrics, "followers">;
  readonly #cuts = new Set<() => void>();
  readonly #byKey = new Map<string, number>();
  #stopping = false;

  constructor(metrics: Pick<LogMetrics, "followers">) {
    this.#metrics = metrics;
  }

  /** Answers how to leave. */
  enter(keyId: string, cut: () => void): () => void {
    const ofKey = this.#byKey.get(keyId) ?? 0;
    if (ofKey >= KEY_MAX || this.#cuts.size >= TOTAL_MAX) {
      throw new Problem("too_many_waits", "Too many requests follow logs; end some, or read without `follow`.");
    }
    const entry = () => cut();
    this.#cuts.add(entry);
    this.#byKey.set(keyId, ofKey + 1);
    this.#metrics.followers(this.#cuts.size);
    if (this.#stopping) entry();
    return () => {
      if (!this.#cuts.delete(entry)) return;
      const left = (this.#byKey.get(keyId) ?? 1) - 1;
      if (left > 0) this.#byKey.set(keyId, left);
      else this.#byKey.delete(keyId);
      this.#metrics.followers(this.#cuts.size);
    };
  }

  stop(): void {
    this.#stopping = true;
    for (const cut of this.#cuts) cut();
  }
}
