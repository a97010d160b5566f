/** The one place that knows an invitation's public JSON. */
import { z } from "zod";
import type { Invitation } from "../domain/invitation.ts";
import { idSchema } from "./id-schema.ts";
import { roleSchema } from "./team-record.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const invitationSchema = z
  .object({
    invitation_id: idSchema,
    team_id: idSchema,
    role: roleSchema.describe("What the invited user becomes."),
    creator_id: idSchema,
    created: timestampSchema,
    expires: timestampSchema,
  })
  .meta({ id: "Invitation" });

export type InvitationRecord = z.output<typeof invitationSchema>;

export function invitationRecord(invitation: Invitation): InvitationRecord {
  return {
    invitation_id: invitation.id,
    team_id: invitation.teamId,
    role: invitation.role,
    creator_id: invitation.creatorId,
    created: timestamp(invitation.createdAt),
    expires: timestamp(invitation.expiresAt),
  };
}
