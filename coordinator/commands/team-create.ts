/** `elastic-coordinator team create` */
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { addTeam } from "../accounts/add-team.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly name: string;
  readonly json?: true;
  readonly etcd?: string;
}

export function teamCreateCommand(context: CommandContext): Command {
  return new Command("create")
    .description("make a team, in which nobody is yet: `user create` puts a first owner in")
    .requiredOption("--name <name>", "name of the team")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator team create --name studio",
        "elastic-coordinator user create --name grace --team studio --role owner",
      ),
    )
    .action(({ name, json, etcd }: Options) =>
      withOperatorStore(context, etcd, async (store) => {
        const team = await addTeam(store, name, systemClock);
        return json ? JSON.stringify({ team_id: team.id, name: team.name }) : `team ${team.name} (${team.id})`;
      }),
    );
}
