/**
 * Which nodes are lost: those whose link ended and did not come back, and those that fell silent. Pure.
 *
 * When most of the fleet goes at once the fault is more likely here than there: then no node is declared
 * lost, so nothing is requeued, until enough of them return or an operator says that they will not.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Liveness } from "../../domain/link-liveness.ts";
import type { NodeState } from "../../domain/node.ts";

/** Five heartbeats. */
export const SILENCE_MS = 15_000;
/** A link that ended may be opened again for this long. */
export const RECONNECT_MS = 5_000;
/** Two heartbeats: not lost yet, but counted when most of the fleet is judged at once. */
const SUSPECT_MS = 6_000;
const BREAKER_NODES_MIN = 4;
const BREAKER_FRACTION = 0.55;
const BREAKER_WINDOW_MS = 60_000;

export interface Sighting {
  readonly nodeId: string;
  readonly state: NodeState;
  /** Of the state, by the wall clock. */
  readonly since: Instant;
  readonly liveness: Liveness | null;
}

export interface Verdict {
  readonly lostNodeIds: readonly string[];
  /** Most of the fleet went at once. */
  readonly isBreakerOpen: boolean;
}

/** `watchingSinceMs`: since when this process has been watching as leader, without a gap. */
export function judgeNodes(
  sightings: readonly Sighting[],
  times: { readonly now: Instant; readonly nowMs: number; readonly watchingSinceMs: number },
  /** An operator said that what went is gone. */
  isReleased = false,
): Verdict {
  const { now, nowMs, watchingSinceMs } = times;
  const present = sightings.filter(({ state }) => state === "ready" || state === "draining");
  const silent = present.filter(({ liveness }) => nowMs >= lostAtMs(liveness, watchingSinceMs));
  if (silent.length === 0) return { lostNodeIds: [], isBreakerOpen: false };

  const suspects = present.filter(({ liveness }) => nowMs >= suspectAtMs(liveness, watchingSinceMs));
  const goneLately = sightings.filter(({ state, since }) => state === "lost" && now - since < BREAKER_WINDOW_MS);
  const all = present.length + goneLately.length;
  const isMassFailure = suspects.length + goneLately.length > BREAKER_FRACTION * all;
  const isBreakerOpen = !isReleased && all >= BREAKER_NODES_MIN && isMassFailure;
  return { lostNodeIds: isBreakerOpen ? [] : silent.map(({ nodeId }) => nodeId), isBreakerOpen };
}

function lostAtMs(liveness: Liveness | null, watchingSinceMs: number): number {
  if (liveness === null) return watchingSinceMs + SILENCE_MS;
  if (liveness.kind === "linked") return Math.max(liveness.lastSeenMs, watchingSinceMs) + SILENCE_MS;
  return Math.max(liveness.sinceMs, watchingSinceMs) + RECONNECT_MS;
}

function suspectAtMs(liveness: Liveness | null, watchingSinceMs: number): number {
  if (liveness?.kind === "linked") return Math.max(liveness.lastSeenMs, watchingSinceMs) + SUSPECT_MS;
  return watchingSinceMs;
}
