import { Command } from "commander";
import { revokeKey } from "../api/keys.ts";
import type { Context } from "../context/context.ts";
import { findKeyId } from "../ids/find-id.ts";
import { printableLine } from "../output/printable.ts";
import { assertConfirmed } from "../prompts/confirm.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic key revoke`: the key opens nothing any more, within a second. */
export function keyRevoke(context: Context): Command {
  return withOutput(new Command("revoke"))
    .description("revoke an access key: it opens nothing any more")
    .argument(
      "<key_id>",
      "as `elastic key list` shows it, its first 4 characters or more, the key's prefix, or latest",
      notEmpty("key id"),
    )
    .option("--yes", "skip the confirmation")
    .addHelpText("after", examples("elastic key revoke <key_id>", "elastic key revoke <key_id> --yes"))
    .action(async (given: string, options: { readonly yes?: boolean }) => {
      const { printer } = context;
      const caller = await openSession(context);
      const keyId = await findKeyId(caller, idOf(given.trim()));
      if (!options.yes)
        await assertConfirmed(context, `Revoke the access key ${printableLine(keyId)}, at once and for good?`);
      await revokeKey(caller, keyId);
      printer.result({ json: { key_id: keyId, revoked: true }, text: `Revoked ${printableLine(keyId)}.` });
      if (idOf(caller.apiKey) === keyId)
        printer.note("It was the key of this login: run `elastic login` with another.");
    });
}

/** Of a key's text or prefix, which are `eps_<id>` and more, only the id is sent. */
function idOf(text: string): string {
  return text.startsWith("eps_") ? (text.split("_")[1] ?? "") : text;
}
