import { Command } from "commander";
import { listAuthorizedKeys } from "../api/authorized-keys.ts";
import type { Context } from "../context/context.ts";
import { columns } from "../output/columns.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic shell key list`: the user's public keys. */
export function shellKeyList(context: Context): Command {
  return withOutput(new Command("list"))
    .description("list the public keys with which you log into shells")
    .addHelpText("after", examples("elastic shell key list", "elastic shell key list --json"))
    .action(async () => {
      const keys = await listAuthorizedKeys(await openSession(context));
      const rows = keys.map((key) => [key.key_id, key.name, key.fingerprint, key.created]);
      const text = columns(["KEY ID", "NAME", "FINGERPRINT", "CREATED"], rows);
      context.printer.result({ json: keys, text: keys.length === 0 ? "You have no public keys here." : text });
    });
}
