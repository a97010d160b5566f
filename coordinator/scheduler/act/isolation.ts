/**
 * Decides for one service, shell or build after the other. What is thrown for one is logged with its id, once a minute, and counted: it
 * keeps no other from its turn, and is decided again with the next tick. What concerns all of them is not decided here, and fails the turn.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { SchedulerMetrics } from "../../metrics/scheduler-metrics.ts";

const LOGGED_EVERY_MS = 60_000;

type Isolated = "service" | "shell" | "build";

interface Surroundings {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Logger, "error">;
  readonly metrics: { readonly scheduler: Pick<SchedulerMetrics, "failed"> };
}

export class Isolation {
  readonly #around: Surroundings;
  /** By what failed: when that was logged. */
  readonly #loggedAtMs = new Map<string, number>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  each<T extends { readonly id: string }>(of: Isolated, entries: Iterable<T>, decide: (entry: T) => void): void {
    for (const entry of entries) this.run(of, entry.id, () => decide(entry), undefined);
  }

  /** Returns what was decided, or `otherwise` where that failed. */
  run<T>(of: Isolated, id: string, decide: () => T, otherwise: T): T {
    try {
      return decide();
    } catch (error) {
      this.#around.metrics.scheduler.failed(of);
      this.#log(of, id, error);
      return otherwise;
    }
  }

  #log(of: Isolated, id: string, err: unknown): void {
    const nowMs = this.#around.clock.monotonicMs();
    const key = `${of} ${id}`;
    if (nowMs - (this.#loggedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < LOGGED_EVERY_MS) return;
    for (const [earlier, atMs] of this.#loggedAtMs) {
      if (nowMs - atMs >= LOGGED_EVERY_MS) this.#loggedAtMs.delete(earlier);
    }
    this.#loggedAtMs.set(key, nowMs);
    const named = of === "service" ? { serviceId: id } : of === "shell" ? { shellId: id } : { buildId: id };
    this.#around.log.error({ err, ...named }, `nothing was decided for a ${of}: the scheduler failed at it`);
  }
}
