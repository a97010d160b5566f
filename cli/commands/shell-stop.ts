import { Command } from "commander";
import { stopShell } from "../api/shells.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { findShell } from "../shell/find-shell.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { SHELL_WORDS } from "./shell-words.ts";

/** `elastic shell stop`: gives its GPU back; its home stays. */
export function shellStop(context: Context): Command {
  return withOutput(new Command("stop"))
    .description("stop a shell: its sessions end and its GPU is free; its home stays")
    .argument("<shell>", SHELL_WORDS, notEmpty("shell"))
    .addHelpText("after", examples("elastic shell stop lab"))
    .action(async (given: string) => {
      const caller = await openSession(context);
      const shell = await stopShell(caller, (await findShell(caller, given)).shell_id);
      const text = `Stopped ${printableLine(shell.shell_name)}. What was not in its home is gone.`;
      context.printer.result({ json: shell, text });
    });
}
