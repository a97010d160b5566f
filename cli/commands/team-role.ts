import { Command } from "commander";
import { changeMember, listMembers } from "../api/members.ts";
import type { Role } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { pickMember, userArgument } from "./member-argument.ts";
import { withOutput } from "./output-options.ts";
import { roleArgument } from "./role-option.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

const HELP = `
Roles, each of which may do what the ones after it may:
  owner   gives and takes the role of owner
  admin   invites and removes members, changes their roles, renames the team, reads its audit log
  member  creates and changes services, tasks, shells, and access keys of their own
  viewer  reads
`;

/** `elastic team role`: what a member may do from now on. */
export function teamRole(context: Context): Command {
  return withOutput(withTeam(new Command("role")))
    .description("change the role of a member of the team")
    .addArgument(userArgument())
    .addArgument(roleArgument())
    .addHelpText("after", HELP)
    .addHelpText(
      "after",
      examples("elastic team role grace admin", "elastic team role <user_id> viewer --team research"),
    )
    .action(async (named: string, role: Role, { team: teamName }: TeamOption) => {
      const caller = await openSession(context);
      const team = await activeTeam(caller, teamName);
      const { user_id: userId } = pickMember(await listMembers(caller, team.team_id), named);
      const member = await changeMember(caller, { teamId: team.team_id, userId, role });
      const text = `The role of ${printableLine(member.name)} in ${printableLine(team.name)} is ${member.role}.`;
      context.printer.result({ json: member, text });
    });
}
