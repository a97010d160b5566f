/** Time as an argument: pure code takes instants, and only the edge reads a clock. */

/** Milliseconds since the Unix epoch, UTC. For stamps, never for measuring. */
export type Instant = number;

/** What measures and stamps. */
export interface Clock {
  /** The wall clock. */
  now(): Instant;
  /** Milliseconds on a clock that never steps; only differences mean something. */
  monotonicMs(): number;
}

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};
