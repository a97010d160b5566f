/** What makes a new user by a login, in a personal team or in the one that the user was invited to. */
import type { Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import type { Account, Identity } from "../domain/account.ts";
import { freeName } from "../domain/free-name.ts";
import type { Membership, Team, User } from "../domain/team.ts";
import { create } from "../store/change.ts";
import type { Change, RecordView, View } from "../store/store.ts";
import { accountId } from "./account-id.ts";

const DAY_MS = 86_400_000;

export interface SignUp {
  readonly user: User;
  /** Null for a user who was invited. */
  readonly team: Team | null;
  readonly changes: readonly Change[];
}

/** `teamId` is that of the invitation; null makes a personal team. */
export function signUp(
  view: Pick<View, "users" | "teams">,
  identity: Identity,
  teamId: string | null,
  now: Instant,
): SignUp {
  const user: User = { id: newId(now), name: freeName(identity.login, isTaken(view.users)), createdAt: now };
  const made = [create("users", user), create("accounts", newAccount(identity, user.id, now))];
  if (teamId !== null) return { user, team: null, changes: made };
  const team: Team = { id: newId(now), name: freeName(user.name, isTaken(view.teams)), createdAt: now };
  const owner: Membership = { userId: user.id, teamId: team.id, role: "owner", createdAt: now };
  return { user, team, changes: [...made, create("teams", team), create("memberships", owner)] };
}

export function newAccount({ issuer, subject, login }: Identity, userId: string, now: Instant): Account {
  return { id: accountId({ issuer, subject }), issuer, subject, login, userId, createdAt: now, lastLoginAt: now };
}

/** How many users were made within a day, by logins or otherwise. */
export function usersOfDay({ users }: Pick<View, "users">, now: Instant): number {
  let count = 0;
  for (const { value } of users.values()) if (value.createdAt > now - DAY_MS) count += 1;
  return count;
}

function isTaken(records: RecordView<{ readonly name: string }>): (name: string) => boolean {
  const names = new Set([...records.values()].map(({ value }) => value.name));
  return (name) => names.has(name);
}
