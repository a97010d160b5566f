/** Since when each node has been empty, as this process has seen it, from its start. */
import type { Clock, Instant } from "@elastic/std/clock.ts";

export class IdleTimes {
  readonly #clock: Pick<Clock, "now" | "monotonicMs">;
  readonly #sinceMs = new Map<string, number>();
  readonly #startedMs: number;

  constructor(clock: Pick<Clock, "now" | "monotonicMs">) {
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
  }

  /** Something changed on the node; whether it is empty is looked up when that matters. */
  readonly changed = (nodeId: string): void => {
    this.#sinceMs.set(nodeId, this.#clock.monotonicMs());
  };

  /** Of a node that is empty: its last change, or the start of this process. */
  since(nodeId: string): Instant {
    return this.#clock.now() - (this.#clock.monotonicMs() - (this.#sinceMs.get(nodeId) ?? this.#startedMs));
  }
}
