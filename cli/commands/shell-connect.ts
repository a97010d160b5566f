import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { openSession } from "../session/session.ts";
import { addressOf, sshArguments } from "../shell/address.ts";
import { awaitShell, notComing } from "../shell/await-shell.ts";
import { findShell } from "../shell/find-shell.ts";
import { findWay } from "../shell/find-way.ts";
import { runOpenssh } from "../shell/run-openssh.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { SHELL_WORDS } from "./shell-words.ts";

/** `elastic shell connect`: the system's ssh takes over, and prompts for nothing where the service gives tickets. */
export function shellConnect(context: Context): Command {
  return new Command("connect")
    .description("open a remote shell with the system's ssh; ends with its exit code")
    .argument("<shell>", SHELL_WORDS, notEmpty("shell"))
    .argument("[command...]", "run this instead, after --")
    .addHelpText("after", examples("elastic shell connect lab", "elastic shell connect lab -- nvidia-smi -L"))
    .action(async (given: string, command: readonly string[]) => {
      const caller = await openSession(context);
      const shell = await findShell(caller, given);
      const address = addressOf(shell);
      if (shell.state === "CREATING") await awaitShell(context, caller, shell.shell_id);
      else if (shell.state !== "READY") throw notComing(shell);
      const way = await findWay(context.settings.configDir, caller, address);
      await runOpenssh("ssh", context, way, sshArguments(way.target, command));
    });
}
