/** What whoever accepts an invitation needs of it. */
import { invitationCode } from "../../auth/id-secret-text.ts";
import { secretMatches } from "../../auth/key-secret.ts";
import { type Invitation, isOpen } from "../../domain/invitation.ts";
import { permissionOver, roleMay } from "../../domain/role.ts";
import type { Membership } from "../../domain/team.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, remove, unchanged } from "../../store/change.ts";
import type { Change, Store } from "../../store/store.ts";
import { Problem } from "../problems/problem.ts";

export interface FoundInvitation {
  readonly invitation: Versioned<Invitation>;
  /** Of who made it: the invitation rests on it. */
  readonly creator: Versioned<Membership>;
}

/** An invitation that holds, as it is now, with the membership of its creator, on which it rests. */
export async function readInvitation(store: Store, text: string, now: number): Promise<FoundInvitation> {
  const code = invitationCode.parse(text);
  const invitation = code === null ? null : await store.get("invitations", code.id);
  const matches = code !== null && secretMatches(code.secret, invitation?.value.secretSha256 ?? null);
  if (invitation === null || !matches || !isOpen(invitation.value, now)) throw noInvitation();
  const { creatorId, teamId, role } = invitation.value;
  const creator = await store.get("memberships", `${creatorId}/${teamId}`);
  if (creator === null || !roleMay(creator.value.role, permissionOver(role))) throw noInvitation();
  return { invitation, creator };
}

/** What makes the user a member, once. */
export function acceptedBy(
  userId: string,
  { invitation, creator }: FoundInvitation,
  now: number,
): { readonly membership: Membership; readonly changes: readonly Change[] } {
  const { teamId, role } = invitation.value;
  const membership = { userId, teamId, role, createdAt: now };
  const rests = unchanged("memberships", creator);
  return { membership, changes: [create("memberships", membership), remove("invitations", invitation), rests] };
}

function noInvitation(): Problem {
  const detail = "There is no such invitation: the code is mistyped, or was used, revoked or has expired.";
  return new Problem("not_found", detail);
}
