import { Command } from "commander";
import { createTeam } from "../api/teams.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic team create`: a new team, which the user owns. */
export function teamCreate(context: Context): Command {
  return withOutput(new Command("create"))
    .description("create a team, of which you become the owner")
    .argument("<name>", "name of the team", notEmpty("name"))
    .addHelpText("after", examples("elastic team create studio"))
    .action(async (name: string) => {
      const { printer } = context;
      const team = await createTeam(await openSession(context), name);
      printer.result({ json: team, text: `team ${printableLine(team.name)} (${team.team_id})` });
      printer.note(`Run \`elastic team switch ${team.team_id}\` to make it the active team.`);
    });
}
