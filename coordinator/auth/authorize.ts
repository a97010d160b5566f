/**
 * What a key may do. Every question about a team goes through `mayUseTeam`: a key acts for its user, only in teams
 * that the user is in now, and with no more than the user's role there.
 */
import type { AccessKey, Scope } from "../domain/access-key.ts";
import { type Permission, type Role, roleMay } from "../domain/role.ts";
import { isDeleted, type Membership } from "../domain/team.ts";
import type { View } from "../store/store.ts";

type AuthorizationView = Pick<View, "memberships" | "teams">;

/** The key of a request, with what the request takes in the team that it turns out to act in. */
export interface Caller extends AccessKey {
  /** Null for what is of no team, such as the caller's own sessions. */
  readonly permission: Permission | null;
  /** Whether it stands for the session of a browser. */
  readonly isSession: boolean;
}

/** The user is in the team, but may not do this there. */
export class RoleRefusedError extends Error {
  override readonly name = "RoleRefusedError";
  readonly role: Role;
  readonly permission: Permission;

  constructor(role: Role, permission: Permission) {
    super(`the role ${role} has not the permission ${permission}`);
    this.role = role;
    this.permission = permission;
  }
}

export function hasScope(key: AccessKey, scope: Scope): boolean {
  return key.scopes.includes(scope) || key.scopes.includes("admin");
}

/**
 * Whether the key spans the team. Throws RoleRefusedError where it does, but the user's role there is too low for what
 * the request does: so no endpoint that looks up a team can forget to check the role.
 */
export function mayUseTeam(view: AuthorizationView, key: AccessKey | Caller, teamId: string): boolean {
  const role = roleIn(view, key, teamId);
  if (role === null) return false;
  if ("permission" in key && key.permission !== null) refuseUnless(role, key.permission);
  return true;
}

/** Throws RoleRefusedError. */
export function refuseUnless(role: Role, permission: Permission): void {
  if (!roleMay(role, permission)) throw new RoleRefusedError(role, permission);
}

/** Whether the key spans the team, and its user's role there has the permission. */
export function mayDo(view: AuthorizationView, key: AccessKey, teamId: string, permission: Permission): boolean {
  const role = roleIn(view, key, teamId);
  return role !== null && roleMay(role, permission);
}

/** Of the key's user, in a team that the key spans and that was not deleted; else null. */
function roleIn(view: AuthorizationView, key: AccessKey, teamId: string): Role | null {
  if (key.teamId !== null && key.teamId !== teamId) return null;
  const membership = view.memberships.get(`${key.userId}/${teamId}`)?.value;
  return membership === undefined || isGone(view, teamId) ? null : membership.role;
}

/** The mark of a deletion counts at once; memberships are removed after it. */
function isGone({ teams }: Pick<View, "teams">, teamId: string): boolean {
  const team = teams.get(teamId)?.value;
  return team !== undefined && isDeleted(team);
}

/** The teams that the key spans, in the order of their ids. */
export function teamsOf(view: AuthorizationView, key: AccessKey): readonly Membership[] {
  const all: Membership[] = [];
  for (const { value } of view.memberships.values()) {
    if (value.userId !== key.userId || isGone(view, value.teamId)) continue;
    if (key.teamId === null || key.teamId === value.teamId) all.push(value);
  }
  return all.sort((a, b) => (a.teamId < b.teamId ? -1 : 1));
}

/**
 * The team of a list or a create: the header `x-team`, else the key's default. Null when the key may not use it.
 * Throws as `mayUseTeam` does.
 */
export function teamOfCall(
  view: AuthorizationView,
  key: AccessKey | Caller,
  requestedTeamId: string | undefined,
): string | null {
  const teamId = requestedTeamId ?? key.defaultTeamId;
  return mayUseTeam(view, key, teamId) ? teamId : null;
}
