import { spawn } from "node:child_process";
import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { ProgramEnded } from "../errors/program-ended.ts";
import { openSession } from "../session/session.ts";
import { addressOf } from "../shell/address.ts";
import { notComing } from "../shell/await-shell.ts";
import { clientKey } from "../shell/client-key.ts";
import { findShell } from "../shell/find-shell.ts";
import { ticketOf } from "../shell/find-way.ts";
import { connectProgram, HANDS_OVER } from "../shell/ticket-way.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { SHELL_WORDS } from "./shell-words.ts";

/** `elastic shell proxy`: what `elastic shell ssh-config --tickets` has OpenSSH run. */
export function shellProxy(context: Context): Command {
  return new Command("proxy")
    .description(
      "connect OpenSSH with a shell, as its ProxyCommand; `elastic shell ssh-config --tickets` prints its use",
    )
    .argument("<shell>", SHELL_WORDS, notEmpty("shell"))
    .addHelpText("after", examples("elastic shell ssh-config --tickets lab"))
    .action(async (given: string) => {
      const caller = await openSession(context);
      const shell = await findShell(caller, given);
      const address = addressOf(shell);
      if (shell.state !== "READY") throw notComing(shell);
      const key = await clientKey(context.settings.configDir);
      const ticket = key === null ? null : await ticketOf(caller, shell.shell_id, key.public);
      if (ticket === null) {
        throw new CliError("This installation gives no tickets for OpenSSH.", {
          code: "no_tickets",
          next: "Leave --tickets out of `elastic shell ssh-config`.",
        });
      }
      const [program = "", ...args] = connectProgram(address);
      const connecting = spawn(program, args, {
        stdio: "inherit",
        env: { ...context.settings.environment, ...HANDS_OVER, ELASTIC_SSH_TICKET: ticket },
      });
      const code = await new Promise<number | null>((resolve, reject) =>
        connecting.once("error", reject).once("exit", resolve),
      );
      if (code !== 0) throw new ProgramEnded(code ?? 1);
    });
}
