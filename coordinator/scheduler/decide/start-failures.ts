/**
 * Workloads of one deployment that failed, and how long to wait before the next try: doubling from half a
 * second to a minute while they keep failing. In memory only: a new leader begins with a short wait.
 */
import type { WorkloadFailure } from "../../domain/assignment.ts";

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 60_000;

export interface StartFailures {
  /** In a row, without one that came up and served. */
  readonly count: number;
  readonly last: WorkloadFailure;
  /** Monotonic. */
  readonly retryAtMs: number;
  /** Nodes it failed on; passed over while another can take it. */
  readonly nodeIds: ReadonlySet<string>;
}

/** What is known after one more failure at `nowMs`. */
export function afterStartFailure(
  before: StartFailures | null,
  failure: WorkloadFailure,
  nodeId: string,
  nowMs: number,
): StartFailures {
  const count = (before?.count ?? 0) + 1;
  const waitMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(count - 1, 10));
  return {
    count,
    last: failure,
    retryAtMs: nowMs + waitMs,
    nodeIds: new Set([...(before?.nodeIds ?? []), nodeId]),
  };
}
