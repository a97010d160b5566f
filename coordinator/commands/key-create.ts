/** `elastic-coordinator key create`: for a user who is locked out. */
import { systemClock } from "@elastic/std/clock.ts";
import { Command, InvalidArgumentError, Option } from "commander";
import { addKey } from "../accounts/add-key.ts";
import { findTeam, findUser } from "../accounts/find-account.ts";
import { SCOPES, type Scope, USER_SCOPES } from "../domain/access-key.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { readExpiry } from "./expiry-option.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly user: string;
  readonly name: string;
  readonly team?: string;
  readonly scopes: readonly Scope[];
  readonly expires?: number | "never";
  readonly json?: true;
  readonly etcd?: string;
}

export function keyCreateCommand(context: CommandContext): Command {
  return new Command("create")
    .description("make an access key for a user who is locked out, and print it once")
    .requiredOption("--user <name or id>", "whose key it is")
    .option("--name <name>", "name of the key", "made by the operator")
    .option("--team <name or id>", "bind it to one team; all of the user's if left out")
    .addOption(
      new Option("--scopes <scopes>", `comma-separated, of ${SCOPES.join(", ")}`)
        .argParser(readScopes)
        .default(USER_SCOPES, `${USER_SCOPES.join(",")}`),
    )
    .option("--expires <time>", "how long it opens anything, such as 12h; for ever if left out", readExpiry)
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator key create --user ada",
        "elastic-coordinator key create --user ada --scopes admin --expires 1h --json | jq -r .key",
      ),
    )
    .action(({ user: userName, name, team: teamName, scopes, expires, json, etcd }: Options) =>
      withOperatorStore(context, etcd, async (store) => {
        const user = findUser(store.view, userName);
        const team = teamName === undefined ? null : findTeam(store.view, teamName);
        const of = {
          user,
          name,
          scopes,
          team,
          expiresInSeconds: expires === undefined || expires === "never" ? null : expires,
        };
        const { keyId, key } = await addKey(store, of, systemClock);
        if (json) return JSON.stringify({ key_id: keyId, user_id: user.id, team_id: team?.id ?? null, scopes, key });
        return `key ${key}\nof ${user.name}, for ${scopes.join(", ")}\nThe key is shown once and cannot be shown again.`;
      }),
    );
}

function readScopes(text: string): readonly Scope[] {
  return text.split(",").map((one) => {
    const scope = SCOPES.find((known) => known === one.trim());
    if (scope === undefined) throw new InvalidArgumentError(`Give some of ${SCOPES.join(", ")}.`);
    return scope;
  });
}
