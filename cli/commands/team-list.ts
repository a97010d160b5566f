import { Command } from "commander";
import { listTeams } from "../api/teams.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic team list`: the active team is highlighted, and marked for those who see no colours. */
export function teamList(context: Context): Command {
  return withOutput(new Command("list"))
    .description("list your teams; the active one is highlighted")
    .addHelpText("after", examples("elastic team list", "elastic team list --json"))
    .action(async () => {
      const { printer } = context;
      const caller = await openSession(context);
      const teams = await listTeams(caller);
      const lines = teams.map((team) => {
        const name = printableLine(team.name);
        return team.team_id === caller.teamId ? `* ${printer.colors.green(name)}` : `  ${name}`;
      });
      printer.result({
        json: teams.map((team) => ({ ...team, active: team.team_id === caller.teamId })),
        text: lines.length === 0 ? "You are in no team." : lines.join("\n"),
      });
    });
}
