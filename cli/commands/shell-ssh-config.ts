import { Command } from "commander";
import { listShells } from "../api/shells.ts";
import type { Context } from "../context/context.ts";
import { openSession } from "../session/session.ts";
import { addressOf } from "../shell/address.ts";
import { findShell } from "../shell/find-shell.ts";
import { hostBlocks } from "../shell/host-blocks.ts";
import { knowHosts } from "../shell/known-hosts.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { SHELL_WORDS } from "./shell-words.ts";

/** `elastic shell ssh-config`: so that ssh, editors and rsync know shells by their names. */
export function shellSshConfig(context: Context): Command {
  return withOutput(new Command("ssh-config"))
    .description(
      "print hosts for OpenSSH's configuration, one for each shell, by its name and id; of two with one name the newest has it",
    )
    .argument("[shell]", `${SHELL_WORDS} (default: all)`, notEmpty("shell"))
    .addHelpText(
      "after",
      examples(
        "elastic shell ssh-config lab",
        "elastic shell ssh-config > ~/.ssh/elastic   # and at the top of ~/.ssh/config: Include elastic",
      ),
    )
    .action(async (given: string | undefined) => {
      const caller = await openSession(context);
      const shells = given === undefined ? await listShells(caller) : [await findShell(caller, given)];
      const hosts = shells.map((shell) => ({ name: shell.shell_name, ...addressOf(shell) }));
      const knownHosts = await knowHosts(context.settings.configDir, hosts);
      const json = hosts.map(({ hostKey, ...host }) => ({ ...host, host_key: hostKey, known_hosts: knownHosts }));
      context.printer.result({
        json,
        text: hosts.length === 0 ? "# The team has no shells." : hostBlocks(hosts, knownHosts),
      });
    });
}
