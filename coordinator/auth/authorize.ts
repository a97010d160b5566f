/**
 * What a key may do. Every question about a team goes through `mayUseTeam`: a key acts for its user, and only in
 * teams that the user is in now.
 */
import type { AccessKey, Scope } from "../domain/access-key.ts";
import type { Membership } from "../domain/team.ts";
import type { View } from "../store/store.ts";

export function hasScope(key: AccessKey, scope: Scope): boolean {
  return key.scopes.includes(scope) || key.scopes.includes("admin");
}

export function mayUseTeam(view: Pick<View, "memberships">, key: AccessKey, teamId: string): boolean {
  if (key.teamId !== null && key.teamId !== teamId) return false;
  return view.memberships.get(`${key.userId}/${teamId}`) !== undefined;
}

/** The teams that the key spans, in the order of their ids. */
export function teamsOf(view: Pick<View, "memberships">, key: AccessKey): readonly Membership[] {
  const all: Membership[] = [];
  for (const { value } of view.memberships.values()) {
    if (value.userId === key.userId && (key.teamId === null || key.teamId === value.teamId)) all.push(value);
  }
  return all.sort((a, b) => (a.teamId < b.teamId ? -1 : 1));
}

/** The team of a list or a create: the header `x-team`, else the key's default. Null when the key may not use it. */
export function teamOfCall(view: Pick<View, "memberships">, key: AccessKey, asked: string | undefined): string | null {
  const teamId = asked ?? key.defaultTeamId;
  return mayUseTeam(view, key, teamId) ? teamId : null;
}
