/** How often something of each node has changed its record lately: what an honest machine does a few times an hour. */
import type { Clock } from "@elastic/std/clock.ts";

/** So many within that time. */
interface Bound {
  readonly max: number;
  readonly withinMs: number;
}

export class RecentChanges {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #bound: Bound;
  /** By node: when, at most as many as count. */
  readonly #atMs = new Map<string, readonly number[]>();

  constructor(clock: Pick<Clock, "monotonicMs">, bound: Bound) {
    this.#clock = clock;
    this.#bound = bound;
  }

  note(nodeId: string): void {
    this.#atMs.set(nodeId, [...this.#recent(nodeId), this.#clock.monotonicMs()].slice(-this.#bound.max));
  }

  /** In how long there may be another one; 0 for at once. */
  waitMs(nodeId: string): number {
    const recent = this.#recent(nodeId);
    const [oldestMs] = recent;
    if (recent.length < this.#bound.max || oldestMs === undefined) return 0;
    return oldestMs + this.#bound.withinMs - this.#clock.monotonicMs();
  }

  #recent(nodeId: string): readonly number[] {
    const fromMs = this.#clock.monotonicMs() - this.#bound.withinMs;
    return (this.#atMs.get(nodeId) ?? []).filter((atMs) => atMs > fromMs);
  }
}
