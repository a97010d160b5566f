import { Command } from "commander";
import { listKeys } from "../api/keys.ts";
import type { KeyRecord } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { columns } from "../output/columns.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic key list`: the user's access keys; those that open nothing any more say so. */
export function keyList(context: Context): Command {
  return withOutput(new Command("list"))
    .description("list your access keys")
    .addHelpText("after", examples("elastic key list", "elastic key list --json"))
    .action(async () => {
      const keys = await listKeys(await openSession(context));
      const rows = keys.map((key) => [
        key.key_id,
        key.name,
        key.scopes.join(","),
        key.team_id ?? "all teams",
        stateOf(key),
        key.last_used,
      ]);
      const head = ["KEY ID", "NAME", "SCOPES", "TEAM", "EXPIRES", "LAST USED"];
      context.printer.result({ json: keys, text: columns(head, rows) });
    });
}

function stateOf({ revoked, expires }: KeyRecord): string {
  return revoked === null ? (expires ?? "never") : `revoked ${revoked}`;
}
