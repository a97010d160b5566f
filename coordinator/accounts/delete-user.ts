/**
 * Deletes a user. Memberships go first, each only while its team keeps an owner; then the user's record becomes a mark, which ends
 * every access of the user at once. The leader removes what else the user had (expiry/user-changes.ts).
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Membership, User } from "../domain/team.ts";
import type { Versioned } from "../domain/versioned.ts";
import { remove, replace, unchanged } from "../store/change.ts";
import type { Store, View } from "../store/store.ts";
import { update } from "../store/update.ts";

/** Nothing was deleted: these teams would be without an owner. */
export class OnlyOwnerError extends Error {
  override readonly name = "OnlyOwnerError";

  constructor(teams: readonly string[]) {
    super(`${teams.join(", ")} would have no owner: make another member an owner, or delete the team, first`);
  }
}

/** Throws OnlyOwnerError. Null for a user who is not there; deleting twice changes nothing. */
export async function deleteUser(store: Store, userId: string, clock: Pick<Clock, "now">): Promise<User | null> {
  const teamIds = teamsOf(store.view, userId);
  const ownerless = teamIds.filter((teamId) => isOnlyOwner(store.view, userId, teamId));
  if (ownerless.length > 0) throw new OnlyOwnerError(ownerless.map((teamId) => teamText(store.view, teamId)));
  for (const teamId of teamIds) await leave(store, userId, teamId);
  const { result } = await update(store, {
    read: () => store.get("users", userId),
    decide: (user) => {
      if (user === null || user.value.deleted !== undefined) return { changes: [], result: null };
      const { id, name, createdAt } = user.value;
      const mark: User = { id, name, createdAt, deleted: { at: clock.now() } };
      return { changes: [replace("users", user, mark)], result: mark };
    },
  });
  return result;
}

async function leave(store: Store, userId: string, teamId: string): Promise<void> {
  await update(store, {
    read: async () => {
      const member = await store.get("memberships", `${userId}/${teamId}`);
      const stays = member?.value.role === "owner" ? await otherOwner(store, member.value) : null;
      return { member, stays };
    },
    decide: ({ member, stays }) => {
      if (member === null) return [];
      if (member.value.role === "owner" && stays === null) throw new OnlyOwnerError([teamText(store.view, teamId)]);
      return [remove("memberships", member), ...(stays === null ? [] : [unchanged("memberships", stays)])];
    },
  });
}

async function otherOwner(store: Store, { userId, teamId }: Membership): Promise<Versioned<Membership> | null> {
  for (const owner of otherOwners(store.view, userId, teamId)) {
    const read = await store.get("memberships", `${owner.userId}/${teamId}`);
    if (read?.value.role === "owner") return read;
  }
  return null;
}

function isOnlyOwner(view: View, userId: string, teamId: string): boolean {
  const isOwner = view.memberships.get(`${userId}/${teamId}`)?.value.role === "owner";
  return isOwner && otherOwners(view, userId, teamId).length === 0;
}

function otherOwners({ memberships }: View, userId: string, teamId: string): readonly Membership[] {
  return [...memberships.values()]
    .map(({ value }) => value)
    .filter((one) => one.teamId === teamId && one.role === "owner" && one.userId !== userId);
}

/** But those that were deleted, which need no owner. */
function teamsOf({ memberships, teams }: View, userId: string): readonly string[] {
  return [...memberships.values()]
    .filter(({ value }) => value.userId === userId)
    .map(({ value }) => value.teamId)
    .filter((teamId) => teams.get(teamId)?.value.deleted === undefined);
}

function teamText({ teams }: View, teamId: string): string {
  return `the team ${teams.get(teamId)?.value.name ?? ""} (${teamId})`;
}
