/**
 * Requests that follow a log. Each holds memory and a socket, so there are only so many, in all, for one team and for one
 * key. When the server stops they are cut, not ended: their clients resume elsewhere, at the byte where they were.
 */
import type { LogMetrics } from "../../metrics/log-metrics.ts";
import type { FollowedLogs } from "../../task-logs/followed-logs.ts";
import { type Holder, Shares } from "../limits/shares.ts";
import { Problem } from "../problems/problem.ts";

const PLACES = { max: 5_000, keyMax: 200 };

/** What it takes to read a log and to follow it. */
export interface LogDeps {
  readonly logs: Pick<FollowedLogs, "read" | "state" | "listen">;
  readonly logFollowers: LogFollowers;
}

export class LogFollowers {
  readonly #metrics: Pick<LogMetrics, "followers">;
  readonly #cuts = new Set<() => void>();
  readonly #places = new Shares(PLACES);
  #stopping = false;

  constructor(metrics: Pick<LogMetrics, "followers">) {
    this.#metrics = metrics;
  }

  /** Returns how to leave. */
  enter(holder: Holder, cut: () => void): () => void {
    if (!this.#places.take(holder)) {
      throw new Problem("too_many_waits", "Too many requests follow logs; end some, or read without `follow`.");
    }
    const entry = () => cut();
    this.#cuts.add(entry);
    this.#metrics.followers(this.#cuts.size);
    if (this.#stopping) entry();
    return () => {
      if (!this.#cuts.delete(entry)) return;
      this.#places.give(holder);
      this.#metrics.followers(this.#cuts.size);
    };
  }

  stop(): void {
    this.#stopping = true;
    for (const cut of this.#cuts) cut();
  }
}
