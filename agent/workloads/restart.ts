/** When a workload that ended is started again. Decides and does nothing. */

const FIRST_DELAY_MS = 500;
const DELAY_MS_MAX = 60_000;
/** A workload that stood this long has earned an immediate restart. */
const STOOD_MS_MIN = 10_000;

export interface RestartHistory {
  /** Ends and failed starts in a row, this one included, without having stood in between. */
  readonly failuresInRow: number;
}

export const NO_FAILURES: RestartHistory = { failuresInRow: 0 };

export interface RestartDecision {
  readonly delayMs: number;
  readonly history: RestartHistory;
}

/** The workload did not come up. */
export function afterFailedStart(history: RestartHistory): RestartDecision {
  const failuresInRow = history.failuresInRow + 1;
  return { delayMs: Math.min(DELAY_MS_MAX, FIRST_DELAY_MS * 2 ** (failuresInRow - 1)), history: { failuresInRow } };
}

/**
 * The workload was up and ended. The first end in a row, and one that the agent wanted, restarts at once:
 * a task that kills its prover must not make the next one wait.
 */
export function afterEnd(history: RestartHistory, stoodMs: number, served: boolean): RestartDecision {
  if (served || stoodMs >= STOOD_MS_MIN) return { delayMs: 0, history: NO_FAILURES };
  if (history.failuresInRow === 0) return { delayMs: 0, history: { failuresInRow: 1 } };
  return afterFailedStart(history);
}
