import { Command } from "commander";
import { deleteMe, getMe } from "../api/me.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { assertConfirmed } from "../prompts/confirm.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic account delete`: the user, with every access. */
export function accountDelete(context: Context): Command {
  return withOutput(new Command("delete"))
    .description("delete your user for good: keys, sessions, SSH keys, login accounts and memberships")
    .option("--yes", "skip the confirmation")
    .addHelpText("after", examples("elastic account delete", "elastic account delete --yes --json"))
    .action(async ({ yes }: { readonly yes?: boolean }) => {
      const { printer } = context;
      const caller = await openSession(context);
      const { user_id: id, name } = await getMe(caller);
      const named = `${printableLine(name)} (${printableLine(id)})`;
      if (!yes) await assertConfirmed(context, `Delete the user ${named}, whose keys and sessions then end?`);
      await deleteMe(caller, name);
      printer.result({ json: { user_id: id, deleted: true }, text: `Deleted ${named}.` });
      printer.note("Run `elastic logout` to forget the key, which opens nothing any more.");
    });
}
