/** By which the leader judges how old things are. */
import type { Clock, Instant } from "@elastic/std/clock.ts";

export interface AgeClock extends Clock {
  /** By which the age of what was stamped at `stamp` is judged: now, less what the clock was set ahead since. */
  nowFor(stamp: Instant): Instant;
  /** What is found at the start of a term may not be due earlier than in this time. */
  leastRemainingMs(): number;
  /** Called after it was set back: what was judged by it may have looked older than it is. Returns the way to stop. */
  onSetBack(listener: () => void): () => void;
}
