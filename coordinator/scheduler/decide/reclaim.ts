/**
 * Which workload of another service makes room for one that finds none. Pure.
 *
 * A team that has used more gives way, workload by workload, as long as it has used more even then: so teams that hold
 * as much as each other keep what they have, and those that share a single slot take it in turns of about a minute. A
 * minimum stays reserved for its team as long as no other has a better claim. Within a team a service that has had nothing for
 * as long takes one of several copies of another, or its only one if its own tasks are due first. Nothing that runs is cut off: the workload
 * takes no further task and ends after its last.
 */
import { slotsOf } from "../../domain/deployment.ts";
import { type Fleet, type Placeable, wouldFitInstead } from "./choose-node.ts";
import type { AssignmentEntry, ServiceEntry } from "./entries.ts";
import { fairShareKey, firstRank, waitedForRoomMs } from "./fair-share-key.ts";
import { type SlotUsage, TURN_S } from "./slot-usage.ts";
import { isAlive } from "./usable-workloads.ts";

/** Of those that could give way the first few are tried for fit; the rest is for the next turn. */
const TRIED_MAX = 64;

export function reclaim(
  fleet: Fleet & { readonly usage: SlotUsage },
  service: ServiceEntry,
  deployment: Placeable & { readonly teamId: string },
  nowMs: number,
): AssignmentEntry | null {
  const { usage, nodes } = fleet;
  const { teamId } = deployment;
  const starves = waitedForRoomMs(service, nowMs) >= TURN_S * 1000;
  if (!starves && !usage.hasOtherHolders(teamId)) return null;
  const claim = fairShareKey(usage, teamId, waitedForRoomMs(service, nowMs), nowMs);
  const needed = claim + slotsOf(deployment) * TURN_S;
  const standings = new Map<string, number>();
  const standingOf = (id: string) => {
    const known = standings.get(id) ?? usage.standing(id, nowMs);
    standings.set(id, known);
    return known;
  };
  const candidates: AssignmentEntry[] = [];
  for (const node of nodes.values()) {
    for (const entry of node.assignments) {
      const { teamId: other, slots } = entry.value;
      // Of a service that cannot be read nothing ends, and so nothing gives way.
      if (entry.service === service || entry.service.read === null || !hasHadItsTurn(entry, nowMs)) continue;
      const yields =
        other === teamId
          ? starves && comesBefore(service, entry.service)
          : standingOf(other) - slots * TURN_S >= needed;
      if (yields) candidates.push(entry);
    }
  }
  return (
    candidates
      .sort((a, b) => standingOf(b.value.teamId) - standingOf(a.value.teamId) || comparePlight(a, b))
      .slice(0, TRIED_MAX)
      .find((entry) => wouldFitInstead(deployment, entry, fleet)) ?? null
  );
}

/** Of two services of a team. */
function comesBefore(service: ServiceEntry, other: ServiceEntry): boolean {
  return other.assignments.size > 1 || firstRank(service) < firstRank(other);
}

/** It is up for a while, and makes room for nobody yet. */
function hasHadItsTurn(entry: AssignmentEntry, nowMs: number): boolean {
  if (!isAlive(entry) || entry.retiring || entry.workload?.value.phase !== "ready") return false;
  return nowMs - entry.phaseSinceMs >= TURN_S * 1000;
}

/** Those that are idle the longest first, then those with the least to end. */
function comparePlight(a: AssignmentEntry, b: AssignmentEntry): number {
  return a.running.size - b.running.size || a.idleSinceMs - b.idleSinceMs;
}
