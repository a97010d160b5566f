/** `elastic-coordinator bootstrap`: the first user, team and access key of an empty store. */
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { bootstrapStore } from "../accounts/bootstrap.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly user: string;
  readonly team: string;
  readonly keyName: string;
  readonly json?: true;
  readonly etcd?: string;
}

export function bootstrapCommand(context: CommandContext): Command {
  return new Command("bootstrap")
    .description("make the first user, team and access key of an empty store, and print the key once")
    .requiredOption("--user <name>", "name of the user")
    .requiredOption("--team <name>", "name of the team, which the user owns")
    .option("--key-name <name>", "name of the access key", "first key")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator bootstrap --user ada --team research",
        "elastic-coordinator bootstrap --user ada --team research --json | jq -r .key",
      ),
    )
    .action(({ user, team, keyName, json, etcd }: Options) =>
      withOperatorStore(context, etcd, async (store) => {
        const made = await bootstrapStore(store, { user, team, key: keyName }, systemClock);
        if (made === null) throw new Error("this store has its first user already; further ones: `user create`");
        const { userId, teamId, key } = made;
        if (json) return JSON.stringify({ key, user_id: userId, team_id: teamId, team_name: team });
        return `team ${team} (${teamId})\nkey ${key}\nThe key is shown once and cannot be shown again.`;
      }),
    );
}
