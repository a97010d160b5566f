/** `elastic-coordinator user delete` */
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { deleteUser } from "../accounts/delete-user.ts";
import { findUser } from "../accounts/find-account.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly user: string;
  readonly yes?: true;
  readonly json?: true;
  readonly etcd?: string;
}

export function userDeleteCommand(context: CommandContext): Command {
  return new Command("delete")
    .description("delete a user for good, with keys, sessions, login accounts and memberships")
    .requiredOption("--user <name or id>", "a user who is not the only owner of a team")
    .option("--yes", "confirm; without it nothing is deleted")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText("after", examples("elastic-coordinator user delete --user grace --yes"))
    .action(({ user: userName, yes, json, etcd }: Options) =>
      withOperatorStore(context, etcd, async (store) => {
        const user = findUser(store.view, userName);
        if (!yes) throw new Error(`to delete ${user.name} (${user.id}) for good, give --yes`);
        await deleteUser(store, user.id, systemClock);
        if (json) return JSON.stringify({ user_id: user.id, name: user.name, deleted: true });
        return `deleted ${user.name} (${user.id})`;
      }),
    );
}
