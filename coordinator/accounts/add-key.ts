/** A key for a user who has none that works, made by an operator. No quota stands in the way of getting back in. */
import type { Clock } from "@elastic/std/clock.ts";
import { makeKey } from "../auth/make-key.ts";
import type { Scope } from "../domain/access-key.ts";
import type { Team, User } from "../domain/team.ts";
import { create } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { refuseBadName } from "./bootstrap.ts";
import { firstTeamOf } from "./first-team.ts";

export interface NewKey {
  readonly user: User;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Team the key is bound to; null for all of the user's. */
  readonly team: Team | null;
  readonly expiresInSeconds: number | null;
}

export interface AddedKey {
  readonly keyId: string;
  /** Shown once. */
  readonly key: string;
  readonly teamId: string;
}

export async function addKey(store: Store, of: NewKey, clock: Clock): Promise<AddedKey> {
  refuseBadName(of.name);
  const teamId = of.team?.id ?? firstTeamOf(store.view, of.user.id);
  if (teamId === null) throw new Error(`${of.user.name} is in no team`);
  if (store.view.memberships.get(`${of.user.id}/${teamId}`) === undefined) {
    throw new Error(`${of.user.name} is not in the team ${of.team?.name}`);
  }
  const now = clock.now();
  const { record, text } = makeKey({
    name: of.name,
    userId: of.user.id,
    teamId: of.team?.id ?? null,
    defaultTeamId: teamId,
    scopes: of.scopes,
    createdAt: now,
    expiresAt: of.expiresInSeconds === null ? null : now + of.expiresInSeconds * 1000,
  });
  const outcome = await store.commit([create("access-keys", record)]);
  if (outcome.kind === "conflict") throw new Error(`a new id was taken: ${record.id}`);
  return { keyId: record.id, key: text, teamId };
}
