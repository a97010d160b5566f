/** `elastic-coordinator operator list` */
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

export function operatorListCommand(context: CommandContext): Command {
  return new Command("list")
    .description("list the users who are operators")
    .option("--json", "print one JSON array")
    .addOption(optionOf("etcd"))
    .addHelpText("after", examples("elastic-coordinator operator list", "elastic-coordinator operator list --json"))
    .action(({ json, etcd }: { readonly json?: true; readonly etcd?: string }) =>
      withOperatorStore(context, etcd, async ({ view }) => {
        const operators = [...view.users.values()]
          .filter(({ value }) => value.operator === true)
          .map(({ value: { id, name } }) => ({ user_id: id, name }));
        operators.sort((a, b) => (a.name < b.name ? -1 : 1));
        if (json) return JSON.stringify(operators);
        return operators.map(({ user_id, name }) => `${user_id}  ${name}`).join("\n");
      }),
    );
}
