/** `elastic-coordinator user create` */
import { systemClock } from "@elastic/std/clock.ts";
import { Command, Option } from "commander";
import { addUser } from "../accounts/add-user.ts";
import { findTeam } from "../accounts/find-account.ts";
import { ROLES, type Role } from "../domain/role.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly name: string;
  readonly team: string;
  readonly role: Role;
  readonly json?: true;
  readonly etcd?: string;
}

export function userCreateCommand(context: CommandContext): Command {
  return new Command("create")
    .description("make a user in a team, with a first access key, and print the key once")
    .requiredOption("--name <name>", "name of the user")
    .requiredOption("--team <name or id>", "a team that exists; `team create` makes one")
    .addOption(new Option("--role <role>", "what the user is in the team").choices(ROLES).default("member"))
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator user create --name grace --team research",
        "elastic-coordinator user create --name grace --team research --role owner --json | jq -r .key",
      ),
    )
    .action(({ name, team: teamName, role, json, etcd }: Options) =>
      withOperatorStore(context, etcd, async (store) => {
        const team = findTeam(store.view, teamName);
        const { userId, key } = await addUser(store, { name, team, role }, systemClock);
        if (json) {
          return JSON.stringify({ user_id: userId, name, team_id: team.id, team_name: team.name, role, key });
        }
        return `user ${name} (${userId}), ${role} of ${team.name}\nkey ${key}\nThe key is shown once and cannot be shown again.`;
      }),
    );
}
