import { Command } from "commander";
import { deleteTeam } from "../api/teams.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { assertConfirmed } from "../prompts/confirm.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

interface Options extends TeamOption {
  readonly yes?: boolean;
}

/** `elastic team delete`: the team and all that it has. The name that the request confirms with is that of the team found. */
export function teamDelete(context: Context): Command {
  return withOutput(withTeam(new Command("delete")))
    .description("delete the team for good: its services, tasks, shells, volumes and keys")
    .option("--yes", "skip the confirmation")
    .addHelpText(
      "after",
      examples("elastic team delete --team studio", "elastic team delete --team studio --yes --json"),
    )
    .action(async ({ team: of, yes }: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const { team_id: id, name } = await activeTeam(caller, of);
      const named = `${printableLine(name)} (${printableLine(id)})`;
      const question = `Delete the team ${named} with its services, tasks, shells, volumes and keys, for all its members?`;
      if (!yes) await assertConfirmed(context, question);
      await deleteTeam(caller, id, name);
      printer.result({ json: { team_id: id, deleted: true }, text: `Deleted ${named}.` });
      printer.note("What it had is being removed. If it was your active team, run `elastic team switch`.");
    });
}
