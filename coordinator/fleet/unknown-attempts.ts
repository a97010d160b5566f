/**
 * Which attempts each node reported lately whose tasks nobody knows. A correct agent reports such attempts too, of tasks that
 * have expired, were deleted with their team, or were lost by a restore, and repeats each until it is acknowledged; but no more
 * of them than it retains.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { UNKNOWN_ATTEMPTS_MAX, UNKNOWN_ATTEMPTS_WITHIN_MS } from "./limits.ts";

interface Reported {
  readonly sinceMs: number;
  readonly keys: Set<string>;
}

export class UnknownAttempts {
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** By node. */
  readonly #reported = new Map<string, Reported>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** `excess`: it is one more than an agent may have. What was reported before is `known`, however often it is repeated. */
  add(nodeId: string, key: string): "new" | "known" | "excess" {
    const { keys } = this.#of(nodeId);
    if (keys.has(key)) return "known";
    if (keys.size >= UNKNOWN_ATTEMPTS_MAX) return "excess";
    keys.add(key);
    return "new";
  }

  #of(nodeId: string): Reported {
    const nowMs = this.#clock.monotonicMs();
    const before = this.#reported.get(nodeId);
    if (before !== undefined && nowMs - before.sinceMs < UNKNOWN_ATTEMPTS_WITHIN_MS) return before;
    const reported = { sinceMs: nowMs, keys: new Set<string>() };
    this.#reported.set(nodeId, reported);
    return reported;
  }
}
