import { Command } from "commander";
import { listTeams } from "../api/teams.ts";
import type { Context } from "../context/context.ts";
import { usageError } from "../errors/cli-error.ts";
import { printableLine } from "../output/printable.ts";
import { chooseTeam } from "../prompts/choose-team.ts";
import { loadCredentials, saveCredentials } from "../session/credentials-file.ts";
import { pickTeam } from "../session/find-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic team switch`: chooses another active team. */
export function teamSwitch(context: Context): Command {
  return withOutput(new Command("switch"))
    .description("change the active team")
    .argument("[team]", "name or id (default: chosen at a prompt)")
    .addHelpText("after", examples("elastic team switch", "elastic team switch research"))
    .action(async (named: string | undefined) => {
      const { settings, printer } = context;
      const caller = await openSession({ ...context, settings: { ...settings, team: undefined } });
      const stored = await loadCredentials(settings.configDir);
      if (stored === null || stored.url !== caller.url || stored.apiKey !== caller.apiKey) {
        throw usageError(
          "There is no login whose team could be switched.",
          "Set ELASTIC_TEAM, or run `elastic login`.",
        );
      }
      const teams = await listTeams(caller);
      const prompt = { insteadOf: "the team as an argument", activeId: stored.team.id };
      const team = named === undefined ? await chooseTeam(context, teams, prompt) : pickTeam(teams, named);
      await saveCredentials(settings.configDir, { ...stored, team: { id: team.team_id, name: team.name } });
      printer.result({
        json: { team_id: team.team_id, team_name: team.name },
        text: `The active team is ${printableLine(team.name)}.`,
      });
    });
}
