/** Whose session a login makes, and what is stored with it: the account's user, or a new one. */
import type { Instant } from "@elastic/std/clock.ts";
import { accountId } from "../../accounts/account-id.ts";
import { firstTeamOf } from "../../accounts/first-team.ts";
import { signUp, usersOfDay } from "../../accounts/sign-up.ts";
import type { Account, Identity } from "../../domain/account.ts";
import { ruleFor } from "../../domain/sign-up-rule.ts";
import type { Membership, Team, User } from "../../domain/team.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { LoginError } from "../../login/login-error.ts";
import type { LoginProvider, ProvenIdentity } from "../../login/login-provider.ts";
import { replace } from "../../store/change.ts";
import type { Change, Store } from "../../store/store.ts";
import { acceptedBy, type FoundInvitation, readInvitation } from "../invitations/find-invitation.ts";
import type { PlaceDeps } from "../limits/places.ts";

export interface LoginPlan {
  readonly userId: string;
  readonly defaultTeamId: string;
  readonly changes: readonly Change[];
  /** What it makes, for the audit log. */
  readonly user: User | null;
  readonly team: Team | null;
  readonly joined: Membership | null;
}

/** `invitation` is its code. Throws a LoginError, or the refusal of the invitation. */
export async function planLogin(
  store: Store,
  { identity, invitation }: { readonly identity: Identity; readonly invitation: string | null },
  now: Instant,
): Promise<LoginPlan> {
  const account = await store.get("accounts", accountId(identity));
  const found = invitation === null ? null : await readInvitation(store, invitation, now);
  if (account !== null) return planKnown(store, account, { identity, found }, now);
  const { user, team, changes } = signUp(store.view, identity, found?.invitation.value.teamId ?? null, now);
  const accepted = found === null ? null : acceptedBy(user.id, found, now);
  return {
    userId: user.id,
    defaultTeamId: accepted?.membership.teamId ?? team?.id ?? "",
    changes: [...changes, ...(accepted?.changes ?? [])],
    user,
    team,
    joined: accepted?.membership ?? null,
  };
}

async function planKnown(
  store: Store,
  account: Versioned<Account>,
  { identity, found }: { readonly identity: Identity; readonly found: FoundInvitation | null },
  now: Instant,
): Promise<LoginPlan> {
  const { userId } = account.value;
  const seen = replace("accounts", account, { ...account.value, login: identity.login, lastLoginAt: now });
  const teamId = found?.invitation.value.teamId;
  const isMember = teamId !== undefined && (await store.get("memberships", `${userId}/${teamId}`)) !== null;
  const accepted = found === null || isMember ? null : acceptedBy(userId, found, now);
  const defaultTeamId = teamId ?? firstTeamOf(store.view, userId);
  if (defaultTeamId === null) throw new LoginError("no_team");
  const changes = [seen, ...(accepted?.changes ?? [])];
  return { userId, defaultTeamId, changes, user: null, team: null, joined: accepted?.membership ?? null };
}

/**
 * Throws a LoginError where the account is nobody's and may not become a new user's without an invitation. Returns how to
 * release the place that it took in `places` for the new user, once that is stored or has failed.
 */
export async function requireKnownOrAllowed(
  { store, places }: PlaceDeps & { readonly store: Store },
  { signUp: rules }: Pick<LoginProvider, "signUp">,
  { identity, readGroups }: ProvenIdentity,
  now: Instant,
): Promise<() => void> {
  if ((await store.get("accounts", accountId(identity))) !== null) return () => undefined;
  const asksGroups = rules.some(({ kind }) => kind === "group");
  const rule = ruleFor(identity, asksGroups ? await readGroups() : [], rules);
  if (rule === null) throw new LoginError("not_invited");
  if (rule.kind !== "open") return () => undefined;
  const release = places.take("users", usersOfDay(store.view, now), rule.usersPerDayMax);
  if (release === null) throw new LoginError("sign_ups_full");
  return release;
}
