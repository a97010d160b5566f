import { Command } from "commander";
import { listInvitations, revokeInvitation } from "../api/members.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findInvitationId } from "../ids/find-id.ts";
import { columns } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

interface Options extends TeamOption {
  readonly revoke?: string;
}

/** `elastic team invitations`: those that are open, and the end of one. */
export function teamInvitations(context: Context): Command {
  return withOutput(withTeam(new Command("invitations")))
    .description("list the open invitations into the team, or revoke one")
    .option("--revoke <invitation_id>", `revoke this one instead; ${OR_PART_OF_ID} will do`, notEmpty("invitation id"))
    .addHelpText("after", examples("elastic team invitations", "elastic team invitations --revoke <invitation_id>"))
    .action(async ({ team: named, revoke }: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      if (revoke !== undefined) {
        const id = await findInvitationId(caller, revoke, async () => (await activeTeam(caller, named)).team_id);
        await revokeInvitation(caller, id);
        printer.result({ json: { invitation_id: id, revoked: true }, text: "Revoked." });
        return;
      }
      const team = await activeTeam(caller, named);
      const invitations = await listInvitations(caller, team.team_id);
      const rows = invitations.map(({ invitation_id: id, role, created, expires }) => [id, role, created, expires]);
      const none = `${printableLine(team.name)} has no open invitations.`;
      const text = rows.length === 0 ? none : columns(["INVITATION ID", "ROLE", "CREATED", "EXPIRES"], rows);
      printer.result({ json: invitations, text });
    });
}
