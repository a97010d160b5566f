import { Command } from "commander";
import { startShell } from "../api/shells.ts";
import type { Context } from "../context/context.ts";
import { shellText } from "../output/shell-text.ts";
import { openSession } from "../session/session.ts";
import { awaitShell } from "../shell/await-shell.ts";
import { findShell } from "../shell/find-shell.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { SHELL_WORDS } from "./shell-words.ts";

/** `elastic shell start`: again, where its home is. */
export function shellStart(context: Context): Command {
  return withOutput(new Command("start"))
    .description("start a shell that was stopped, on the machine where its home is")
    .argument("<shell>", SHELL_WORDS, notEmpty("shell"))
    .option("--no-wait", "do not wait until it is ready")
    .addHelpText("after", examples("elastic shell start lab", "elastic shell start lab --no-wait"))
    .action(async (given: string, options: { readonly wait: boolean }) => {
      const caller = await openSession(context);
      const started = await startShell(caller, (await findShell(caller, given)).shell_id);
      const shell = options.wait ? await awaitShell(context, caller, started.shell_id) : started;
      context.printer.result({ json: shell, text: shellText(shell) });
    });
}
