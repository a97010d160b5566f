/** `elastic-coordinator login-link`: a browser's way in where there is no login provider. */
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { addLoginLink, loginUrl } from "../accounts/add-login-link.ts";
import { findUser } from "../accounts/find-account.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { configOf, optionOf } from "./setting-options.ts";

interface Options {
  readonly user: string;
  readonly json?: true;
  readonly etcd?: string;
  readonly publicUrl?: string;
}

export function loginLinkCommand(context: CommandContext): Command {
  return new Command("login-link")
    .description("print a link that logs a browser in to the console once, within ten minutes")
    .requiredOption("--user <name or id>", "who is logged in with it")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addOption(optionOf("publicUrl"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator login-link --user ada --public-url https://proofs.example",
        "elastic-coordinator login-link --user ada --json | jq -r .url",
      ),
    )
    .action(({ user: userName, json, etcd, publicUrl }: Options) =>
      withOperatorStore(context, etcd, async (store) => {
        const config = configOf(context, { roles: "http", ...(publicUrl === undefined ? {} : { publicUrl }) });
        const { host, port } = config.httpListen;
        const base = config.publicUrl ?? `http://${host}:${port}`;
        const user = findUser(store.view, userName);
        const { record, token } = await addLoginLink(store, user, systemClock);
        const url = loginUrl(base, token);
        if (json)
          return JSON.stringify({
            url,
            user_id: user.id,
            expires: new Date(record.expiresAt).toISOString(),
          });
        return `${url}\nlogs ${user.name} in once, within ten minutes`;
      }),
    );
}
