/** A new user in a team, with a first key: without one there is nothing that a user could do. */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { makeKey } from "../auth/make-key.ts";
import { USER_SCOPES } from "../domain/access-key.ts";
import type { Role } from "../domain/role.ts";
import type { Team } from "../domain/team.ts";
import { create } from "../store/change.ts";
import type { Change, Store } from "../store/store.ts";
import { refuseBadName } from "./bootstrap.ts";

export interface NewUser {
  readonly name: string;
  readonly team: Team;
  readonly role: Role;
}

export interface AddedUser {
  readonly userId: string;
  /** Shown once. */
  readonly key: string;
}

export async function addUser(store: Store, of: NewUser, clock: Clock): Promise<AddedUser> {
  const now = clock.now();
  const userId = newId(now);
  const { record, text } = makeKey({
    name: "first key",
    userId,
    teamId: null,
    defaultTeamId: of.team.id,
    scopes: USER_SCOPES,
    createdAt: now,
    expiresAt: null,
  });
  await commitUser(store, userId, of, now, [create("access-keys", record)]);
  return { userId, key: text };
}

/** For one who logs in first. Returns the user's id. */
export async function addUserWithoutKey(store: Store, of: NewUser, clock: Clock): Promise<string> {
  const now = clock.now();
  const userId = newId(now);
  await commitUser(store, userId, of, now, []);
  return userId;
}

async function commitUser(
  store: Store,
  userId: string,
  { name, team, role }: NewUser,
  now: Instant,
  more: readonly Change[],
): Promise<void> {
  refuseBadName(name);
  const outcome = await store.commit([
    create("users", { id: userId, name, createdAt: now }),
    create("memberships", { userId, teamId: team.id, role, createdAt: now }),
    ...more,
  ]);
  if (outcome.kind === "conflict") throw new Error(`a new id was taken: ${userId}`);
}
