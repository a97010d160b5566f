/** A new user in a team, with a first key: without one there is nothing that a user could do. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { makeKey } from "../auth/make-key.ts";
import { refuseBadName } from "../bootstrap.ts";
import { USER_SCOPES } from "../domain/access-key.ts";
import type { Role, Team } from "../domain/team.ts";
import { create } from "../store/change.ts";
import type { Store } from "../store/store.ts";

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

export async function addUser(store: Store, { name, team, role }: NewUser, clock: Clock): Promise<AddedUser> {
  refuseBadName(name);
  const now = clock.now();
  const userId = newId(now);
  const { record, text } = makeKey({
    name: "first key",
    userId,
    teamId: null,
    defaultTeamId: team.id,
    scopes: USER_SCOPES,
    createdAt: now,
    expiresAt: null,
  });
  const outcome = await store.commit([
    create("users", { id: userId, name, createdAt: now }),
    create("memberships", { userId, teamId: team.id, role, createdAt: now }),
    create("access-keys", record),
  ]);
  if (outcome.kind === "conflict") throw new Error(`a new id was taken: ${userId}`);
  return { userId, key: text };
}
