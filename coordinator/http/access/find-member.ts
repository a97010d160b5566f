/** Who is in a team, as it is now. A team that is unknown, malformed or another's is refused in the same words. */
import { isId } from "@elastic/std/ids.ts";
import { type Caller, mayUseTeam, refuseUnless } from "../../auth/authorize.ts";
import type { Membership } from "../../domain/team.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { Store } from "../../store/store.ts";
import { notFound } from "../problems/problem.ts";

/**
 * The caller's own membership. Throws RoleRefusedError where the role does not allow what the request does. A commit
 * that rests on it says so, and fails if it has changed.
 */
export async function readOwnMembership(store: Store, caller: Caller, teamId: string): Promise<Versioned<Membership>> {
  const may = isId(teamId) && mayUseTeam(store.view, caller, teamId);
  const own = may ? await store.get("memberships", `${caller.userId}/${teamId}`) : null;
  if (own === null) throw notFound("team");
  if (caller.permission !== null) refuseUnless(own.value.role, caller.permission);
  return own;
}

export async function readMember(store: Store, teamId: string, userId: string): Promise<Versioned<Membership>> {
  const member = isId(userId) ? await store.get("memberships", `${userId}/${teamId}`) : null;
  if (member === null) throw notFound("member");
  return member;
}
