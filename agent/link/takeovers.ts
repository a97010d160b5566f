/**
 * Notices when another agent works under this node's certificate: a coordinator ends a link because a newer one of the
 * same node has taken over. Were both to come back at once, each would take the node from the other without end, and
 * no task longer than a moment would be done on either. So both hold off, longer each time.
 */
import { backoffMs } from "../domain/backoff.ts";

export interface Takeovers {
  /** A newer link ended this one: how long to hold off before the next. */
  onTakenOver(random: number): number;
  /** A link ended, for whatever reason, after it was up so long. */
  onEnded(upMs: number): void;
}

/** Half of a wait is chance, so the first is 5 to 10 s. */
const BACKOFF = { firstMs: 10_000, longestMs: 60_000 };
/** A rival that holds off comes back within the longest wait; a link that stood twice as long has none. */
const UNRIVALLED_AFTER_MS = 2 * BACKOFF.longestMs;

export function takeovers(): Takeovers {
  let inRow = 0;
  return {
    onTakenOver: (random) => {
      inRow += 1;
      return backoffMs(BACKOFF, inRow, random);
    },
    onEnded: (upMs) => {
      if (upMs >= UNRIVALLED_AFTER_MS) inRow = 0;
    },
  };
}
