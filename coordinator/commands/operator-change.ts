/** `elastic-coordinator operator add` and `operator remove` */
import { Command } from "commander";
import { findUser } from "../accounts/find-account.ts";
import { setOperator } from "../accounts/set-operator.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly user: string;
  readonly json?: true;
  readonly etcd?: string;
}

export function operatorAddCommand(context: CommandContext): Command {
  const description = "let a user see and do in the console what operators do, for an hour after each login";
  return changeCommand(context, "add", description, true);
}

export function operatorRemoveCommand(context: CommandContext): Command {
  return changeCommand(context, "remove", "end that, also in sessions that are open", false);
}

function changeCommand(context: CommandContext, verb: string, description: string, isOperator: boolean): Command {
  return new Command(verb)
    .description(description)
    .requiredOption("--user <name or id>", "a user who exists")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText("after", examples(`elastic-coordinator operator ${verb} --user ada`))
    .action(({ user: userName, json, etcd }: Options) =>
      withOperatorStore(context, etcd, async (store) => {
        const user = findUser(store.view, userName);
        await setOperator(store, user, isOperator);
        if (json) return JSON.stringify({ user_id: user.id, name: user.name, operator: isOperator });
        return `${user.name} (${user.id}) is ${isOperator ? "an operator" : "no operator"}`;
      }),
    );
}
