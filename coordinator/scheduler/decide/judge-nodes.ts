/**
 * Which nodes are lost: those that no coordinator has seen for so long that their agents, if they live, have
 * abandoned what they ran. Pure.
 *
 * When most of the fleet goes at once the fault is more likely here than there: then no node is declared
 * lost, so nothing is requeued, until enough of them return or an operator says that they will not.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { FENCE_AFTER_MS, type Liveness } from "../../domain/link-liveness.ts";
import type { NodeState } from "../../domain/node.ts";

/** The agents' fence, and a second for the way of the last acknowledgement and for the drift of clocks: four heartbeats. */
export const LOST_AFTER_MS = FENCE_AFTER_MS + 1_000;
/** Two heartbeats: not lost yet, but counted when most of the fleet is judged at once. */
const SUSPECT_MS = 6_000;
const BREAKER_FRACTION = 0.55;
/** Of fewer nodes any two are most of them, so all must have gone; and one alone has nothing that another could be given. */
const SMALL_FLEET_MAX = 3;
const BREAKER_WINDOW_MS = 60_000;

export interface Sighting {
  readonly nodeId: string;
  readonly state: NodeState;
  /** Of the state, by the wall clock. */
  readonly since: Instant;
  readonly liveness: Liveness | null;
  /** When its record showed its last hello; monotonic, null where it was there before. */
  readonly greetedMs: number | null;
}

export interface Verdict {
  readonly lostNodeIds: readonly string[];
  /** Most of the fleet went at once. */
  readonly isBreakerOpen: boolean;
}

interface Times {
  readonly now: Instant;
  readonly nowMs: number;
  readonly watchingSinceMs: number;
}

/** `watchingSinceMs`: since when this process has been watching as leader, without a gap. */
export function judgeNodes(
  sightings: readonly Sighting[],
  times: Times,
  /** An operator said that what went is gone. */
  isReleased = false,
): Verdict {
  const { now, nowMs } = times;
  const present = sightings.filter(({ state }) => state === "ready" || state === "draining");
  const silent = present.filter((sighting) => nowMs >= seenAtMs(sighting, times) + LOST_AFTER_MS);
  if (silent.length === 0) return { lostNodeIds: [], isBreakerOpen: false };

  const suspects = present.filter((sighting) => nowMs >= suspectAtMs(sighting, times));
  const goneLately = sightings.filter(({ state, since }) => state === "lost" && now - since < BREAKER_WINDOW_MS);
  const all = present.length + goneLately.length;
  const isBreakerOpen = !isReleased && isMassFailure(suspects.length + goneLately.length, all);
  return { lostNodeIds: isBreakerOpen ? [] : silent.map(({ nodeId }) => nodeId), isBreakerOpen };
}

function isMassFailure(gone: number, all: number): boolean {
  if (all <= SMALL_FLEET_MAX) return all > 1 && gone === all;
  return gone > BREAKER_FRACTION * all;
}

/**
 * A hello counts: the coordinator that it came to lists the node a moment after the node's record shows it, and may not be the one
 * that a list names.
 */
function seenAtMs({ liveness, greetedMs }: Sighting, { watchingSinceMs }: Times): number {
  return Math.max(liveness?.lastSeenMs ?? watchingSinceMs, greetedMs ?? watchingSinceMs, watchingSinceMs);
}

function suspectAtMs(sighting: Sighting, times: Times): number {
  const { liveness, greetedMs } = sighting;
  const isCut = liveness?.kind === "unlinked" && (greetedMs === null || greetedMs <= liveness.lastSeenMs);
  return isCut ? times.watchingSinceMs : seenAtMs(sighting, times) + SUSPECT_MS;
}
