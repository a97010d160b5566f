import { Command } from "commander";
import { deleteShell } from "../api/shells.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { assertConfirmed } from "../prompts/confirm.ts";
import { openSession } from "../session/session.ts";
import { findShell } from "../shell/find-shell.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { SHELL_WORDS } from "./shell-words.ts";

/** `elastic shell delete`: for good, its home included. */
export function shellDelete(context: Context): Command {
  return withOutput(new Command("delete"))
    .description("permanently delete a shell and everything in its home")
    .argument("<shell>", SHELL_WORDS, notEmpty("shell"))
    .option("--yes", "skip the confirmation")
    .addHelpText("after", examples("elastic shell delete lab", "elastic shell delete <shell_id> --yes"))
    .action(async (given: string, options: { readonly yes?: boolean }) => {
      const caller = await openSession(context);
      const { shell_id: id, shell_name: name } = await findShell(caller, given);
      const named = `${printableLine(name)} (${printableLine(id)})`;
      if (!options.yes) await assertConfirmed(context, `Delete the shell ${named} and everything in its home?`);
      await deleteShell(caller, id);
      context.printer.result({ json: { shell_id: id, deleted: true }, text: `Deleted ${named}.` });
    });
}
