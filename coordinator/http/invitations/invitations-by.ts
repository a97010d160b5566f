/** The end of a member's invitations, for the commit that ends what they rest on. */
import type { Invitation } from "../../domain/invitation.ts";
import type { Membership } from "../../domain/team.ts";
import { remove } from "../../store/change.ts";
import type { Change, Store } from "../../store/store.ts";

export function invitationsBy(
  { view }: Store,
  { teamId, userId }: Membership,
  ends: (invitation: Invitation) => boolean = () => true,
): readonly Change[] {
  return [...view.invitations.values()]
    .filter(({ value }) => value.teamId === teamId && value.creatorId === userId && ends(value))
    .map((invitation) => remove("invitations", invitation));
}
