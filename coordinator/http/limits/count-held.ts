/** How much of each thing a team, or a user, has now: what creations are counted by, and what the quotas' list shows. */
import type { Instant } from "@elastic/std/clock.ts";
import { endOfKey } from "../../domain/access-key.ts";
import { isOpen as isOpenBuild } from "../../domain/build.ts";
import { isOpen } from "../../domain/invitation.ts";
import type { QuotaName } from "../../domain/quotas.ts";
import { OPEN_PHASES } from "../../domain/task.ts";
import { tasksToCome } from "../../domain/task-batch.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { View } from "../../store/store.ts";

/** Of a team by its id. */
export const TEAM_QUOTAS = [
  "openTasksPerTeam",
  "servicesPerTeam",
  "volumesPerTeam",
  "openBuildsPerTeam",
  "shellsPerTeam",
  "uploadsPerTeam",
  "membersPerTeam",
  "invitationsPerTeam",
] as const satisfies readonly QuotaName[];

/** Of a user by their id. */
export const USER_QUOTAS = ["teamsPerUser", "keysPerUser"] as const satisfies readonly QuotaName[];

type CountedQuota = (typeof TEAM_QUOTAS)[number] | (typeof USER_QUOTAS)[number];

type Count = (view: View, ownerId: string, now: Instant) => number;

const COUNTS: Readonly<Record<CountedQuota, Count>> = {
  openTasksPerTeam: ({ tasks, batches }, teamId) => {
    let count = tasks.list({ teamId, phases: OPEN_PHASES }, { offset: 0, limit: 0 }).total;
    for (const { value } of batches.of(teamId)) count += tasksToCome(value);
    return count;
  },
  servicesPerTeam: ({ services }, id) =>
    countOf(services.values(), ({ teamId, state }) => teamId === id && state.kind !== "deleted"),
  volumesPerTeam: ({ volumes }, teamId) => volumes.countOf(teamId),
  openBuildsPerTeam: ({ builds }, id) => countOf(builds.of(id), isOpenBuild),
  // One that is deleted counts until its home is erased.
  shellsPerTeam: ({ shells }, id) =>
    countOf(shells.of(id), ({ state, nodeId }) => state.kind !== "deleted" || nodeId !== null),
  uploadsPerTeam: ({ uploads }, teamId) => uploads.countOf(teamId),
  membersPerTeam: ({ memberships }, id) => countOf(memberships.values(), ({ teamId }) => teamId === id),
  invitationsPerTeam: ({ invitations }, id, now) =>
    countOf(invitations.values(), (invitation) => invitation.teamId === id && isOpen(invitation, now)),
  teamsPerUser: ({ memberships }, id) => countOf(memberships.values(), ({ userId }) => userId === id),
  keysPerUser: ({ accessKeys }, id, now) =>
    countOf(accessKeys.values(), (key) => key.userId === id && [null, "disabled"].includes(endOfKey(key, now))),
};

export function countHeld(view: View, quota: CountedQuota, ownerId: string, now: Instant): number {
  return COUNTS[quota](view, ownerId, now);
}

function countOf<T>(records: Iterable<Versioned<T>>, isCounted: (record: T) => boolean): number {
  let count = 0;
  for (const { value } of records) if (isCounted(value)) count += 1;
  return count;
}
