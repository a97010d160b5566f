import { Command } from "commander";
import { removeAuthorizedKey } from "../api/authorized-keys.ts";
import type { Context } from "../context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic shell key remove`: its sessions end within seconds. */
export function shellKeyRemove(context: Context): Command {
  return withOutput(new Command("remove"))
    .description("remove a public key: it opens no shell any more, and sessions that it opened end")
    .argument("<key_id>", "as `elastic shell key list` shows it", notEmpty("key id"))
    .addHelpText("after", examples("elastic shell key remove <key_id>"))
    .action(async (keyId: string) => {
      await removeAuthorizedKey(await openSession(context), keyId);
      context.printer.result({ json: { key_id: keyId, removed: true }, text: `Removed ${printableLine(keyId)}.` });
    });
}
