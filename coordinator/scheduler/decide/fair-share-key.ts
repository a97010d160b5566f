/**
 * Whose turn it is to take room: that of the team which used the least of late. Pure.
 *
 * A service that has nothing and finds no room gains on all others the longer it waits, and after five minutes goes
 * before any: whatever was used before, nobody waits for ever.
 */
import { rankOf } from "../../domain/priority.ts";
import type { ServiceEntry } from "./entries.ts";
import type { SlotUsage } from "./slot-usage.ts";

const STARVED_MS = 300_000;

/** The lower goes first. */
export function fairShareKey(usage: SlotUsage, teamId: string, waitedMs: number, nowMs: number): number {
  return usage.standing(teamId, nowMs) * Math.max(0, 1 - waitedMs / STARVED_MS);
}

/** How long the service has been without anything, for want of room. */
export function waitedForRoomMs(
  { unschedulableSinceMs }: Pick<ServiceEntry, "unschedulableSinceMs">,
  nowMs: number,
): number {
  return unschedulableSinceMs === null ? 0 : nowMs - unschedulableSinceMs;
}

/** Of the task that is served next; after all others where none waits. */
export function firstRank({ queue }: ServiceEntry): number {
  const first = queue.first();
  return first === undefined ? Number.POSITIVE_INFINITY : rankOf(first.read.value);
}
