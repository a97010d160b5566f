/** What the caller is in a team. A team that is unknown, malformed or another's is refused in the same words. */
import { isId } from "@elastic/std/ids.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Membership } from "../../domain/team.ts";
import type { Store, Versioned } from "../../store/store.ts";
import { notFound, Problem } from "../problem.ts";

/** The caller's own membership, as it is now. */
export async function readOwnMembership(store: Store, key: AccessKey, teamId: string): Promise<Versioned<Membership>> {
  const may = isId(teamId) && mayUseTeam(store.view, key, teamId);
  const own = may ? await store.get("memberships", `${key.userId}/${teamId}`) : null;
  if (own === null) throw notFound("team");
  return own;
}

/** The same where only owners may go on. A commit that rests on it says so, and fails if that has changed. */
export async function readOwnership(store: Store, key: AccessKey, teamId: string): Promise<Versioned<Membership>> {
  const own = await readOwnMembership(store, key, teamId);
  refuseUnlessOwner(own.value);
  return own;
}

export function refuseUnlessOwner({ role }: Pick<Membership, "role">): void {
  if (role !== "owner") throw new Problem("owner_only", "Only an owner of the team may do this; ask one of them.");
}
