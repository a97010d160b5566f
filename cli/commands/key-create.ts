import { Command } from "commander";
import { createKey } from "../api/keys.ts";
import type { NewKey } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { parseLifetime } from "../input/time-span.ts";
import { printableLine } from "../output/printable.ts";
import { findTeam } from "../session/find-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** What a program that only makes proofs needs. */
const SCOPES_DEFAULT = "tasks:read,tasks:write";

interface Options {
  readonly scopes: string;
  readonly expires?: number | "never";
  readonly team?: string;
}

/** `elastic key create`: the key is printed once. */
export function keyCreate(context: Context): Command {
  return withOutput(new Command("create"))
    .description("create an access key: prints it, once")
    .argument("<name>", "what you will know it by", notEmpty("name"))
    .option("--scopes <scopes>", "comma-separated: tasks:read, tasks:write, services, keys, …", SCOPES_DEFAULT)
    .option("--expires <time>", "how long it works, such as 12h, or never (default: 90d)", parseExpiry)
    .option("--team <name or id>", "bind it to one team (default: all of your teams)", notEmpty("team"))
    .addHelpText(
      "after",
      examples(
        "elastic key create ci",
        "elastic key create ci --scopes tasks:read,tasks:write,services --team research --expires 30d",
        "KEY=$(elastic key create ci --expires never)",
      ),
    )
    .action(async (name: string, { scopes, expires, team }: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const bound = team === undefined ? {} : { team_id: (await findTeam(caller, team)).team_id };
      const wanted = {
        name,
        // What is no scope is the server's to name: it may know more of them than this command.
        scopes: scopes.split(",").map((scope) => scope.trim()) as unknown as NewKey["scopes"],
        ...(expires === undefined ? {} : { expires_in_seconds: expires === "never" ? null : expires }),
        ...bound,
      };
      const made = await createKey(caller, wanted);
      printer.result({ json: made, text: printableLine(made.key) });
      printer.note(`The key is shown once. \`elastic key revoke ${made.key_id}\` ends it.`);
    });
}

/** In seconds. A null would reach the command as an empty text. */
function parseExpiry(text: string): number | "never" {
  return text === "never" ? text : parseLifetime(text);
}
