import { Command } from "commander";
import { removeAuthorizedKey } from "../api/authorized-keys.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findAuthorizedKeyId } from "../ids/find-id.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic shell key remove`: its sessions end within seconds. */
export function shellKeyRemove(context: Context): Command {
  return withOutput(new Command("remove"))
    .description("remove a public key: it opens no shell any more, and sessions that it opened end")
    .argument("<public_key_id>", `as \`elastic shell key list\` shows it, ${OR_PART_OF_ID}`, notEmpty("key id"))
    .addHelpText("after", examples("elastic shell key remove <public_key_id>"))
    .action(async (given: string) => {
      const caller = await openSession(context);
      const keyId = await findAuthorizedKeyId(caller, given);
      await removeAuthorizedKey(caller, keyId);
      context.printer.result({ json: { key_id: keyId, removed: true }, text: `Removed ${printableLine(keyId)}.` });
    });
}
