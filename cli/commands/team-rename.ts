import { Command } from "commander";
import { renameTeam } from "../api/teams.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

/** `elastic team rename`: ids stay, so nothing that names the team by its id breaks. */
export function teamRename(context: Context): Command {
  return withOutput(withTeam(new Command("rename")))
    .description("rename the team")
    .argument("<name>", "the new name", notEmpty("name"))
    .addHelpText("after", examples("elastic team rename atelier", "elastic team rename atelier --team studio"))
    .action(async (name: string, { team: named }: TeamOption) => {
      const caller = await openSession(context);
      const { team_id: teamId } = await activeTeam(caller, named);
      const team = await renameTeam(caller, teamId, name);
      context.printer.result({ json: team, text: `The team is named ${printableLine(team.name)}.` });
    });
}
