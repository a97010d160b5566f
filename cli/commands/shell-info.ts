import { Command } from "commander";
import { getShell } from "../api/shells.ts";
import type { Context } from "../context/context.ts";
import { shellText } from "../output/shell-text.ts";
import { openSession } from "../session/session.ts";
import { findShell } from "../shell/find-shell.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { SHELL_WORDS } from "./shell-words.ts";

/** `elastic shell info`: its state and how to log in, password and all. */
export function shellInfo(context: Context): Command {
  return withOutput(new Command("info"))
    .description("show a shell's state and how to log into it, with its password")
    .argument("<shell>", SHELL_WORDS, notEmpty("shell"))
    .addHelpText("after", examples("elastic shell info <shell_id>", "elastic shell info lab --json"))
    .action(async (given: string) => {
      const caller = await openSession(context);
      const shell = await getShell(caller, (await findShell(caller, given)).shell_id);
      context.printer.result({ json: shell, text: shellText(shell) });
    });
}
