/**
 * How long a link that ended waits before it is opened again. A fleet loses its links to a coordinator all at once, so
 * its agents come back over a time that grows with the fleet, as the coordinator's welcome states. An agent without any other
 * link has less time, since its fence passes.
 */
import { type Backoff, backoffMs } from "../domain/backoff.ts";

export interface Reconnect {
  /** In a row; from 1. */
  readonly failures: number;
  /** As of the last welcome; 0 before, and from coordinators that state none. */
  readonly spreadMs: number;
  /** No coordinator is linked. */
  readonly isUrgent: boolean;
}

const BACKOFF: Backoff = { firstMs: 250, longestMs: 5_000 };
/** A heartbeat is acknowledged up to three seconds before a link ends, and the fence passes twelve after it. */
const URGENT_SPREAD_MS_MAX = 3_000;
/** No coordinator keeps agents away for longer, whatever it states. */
const SPREAD_MS_MAX = 15_000;

/** `random` is in [0, 1). */
export function reconnectDelayMs({ failures, spreadMs, isUrgent }: Reconnect, random: number): number {
  const spread = Math.min(spreadMs, isUrgent ? URGENT_SPREAD_MS_MAX : SPREAD_MS_MAX);
  if (failures <= 1) return backoffMs(BACKOFF, 1, random) + spread * random;
  // Half of a wait is chance, so the longest one spreads over as much.
  const longestMs = isUrgent ? BACKOFF.longestMs : Math.max(BACKOFF.longestMs, Math.min(2 * spread, SPREAD_MS_MAX));
  return backoffMs({ ...BACKOFF, longestMs }, failures, random);
}
