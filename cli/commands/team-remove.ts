import { Command } from "commander";
import { listMembers, removeMember } from "../api/members.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { pickMember, userArgument } from "./member-argument.ts";
import { withOutput } from "./output-options.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

/** `elastic team remove`: takes a member out of the team; oneself to leave it. */
export function teamRemove(context: Context): Command {
  return withOutput(withTeam(new Command("remove")))
    .description("remove a member of the team, or leave it by naming yourself")
    .addArgument(userArgument())
    .addHelpText("after", examples("elastic team remove grace", "elastic team remove <user_id> --team research"))
    .action(async (named: string, { team: teamName }: TeamOption) => {
      const caller = await openSession(context);
      const team = await activeTeam(caller, teamName);
      const member = pickMember(await listMembers(caller, team.team_id), named);
      await removeMember(caller, team.team_id, member.user_id);
      context.printer.result({
        json: { team_id: team.team_id, user_id: member.user_id, removed: true },
        text: `${printableLine(member.name)} is no longer in ${printableLine(team.name)}.`,
      });
    });
}
