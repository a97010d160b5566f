import { Command } from "commander";
import { listMembers } from "../api/members.ts";
import type { Context } from "../context/context.ts";
import { columns } from "../output/columns.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

/** `elastic team members`: who is in the team, and as what. */
export function teamMembers(context: Context): Command {
  return withOutput(withTeam(new Command("members")))
    .description("list the members of the team")
    .addHelpText("after", examples("elastic team members", "elastic team members --team research --json"))
    .action(async ({ team: named }: TeamOption) => {
      const caller = await openSession(context);
      const team = await activeTeam(caller, named);
      const members = await listMembers(caller, team.team_id);
      const rows = members.map(({ name, role, since, user_id: id }) => [name, role, since, id]);
      context.printer.result({ json: members, text: columns(["NAME", "ROLE", "SINCE", "USER ID"], rows) });
    });
}
