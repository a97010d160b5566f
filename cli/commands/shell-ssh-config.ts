import { Command } from "commander";
import { listShells } from "../api/shells.ts";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { openSession } from "../session/session.ts";
import { addressOf } from "../shell/address.ts";
import { clientKey } from "../shell/client-key.ts";
import { findShell } from "../shell/find-shell.ts";
import { hostBlocks, type NamedShell, ticketBlocks } from "../shell/host-blocks.ts";
import { knowHosts } from "../shell/known-hosts.ts";
import { knowShells, proxyCommand, ticketOptions, ticketTarget } from "../shell/ticket-way.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { SHELL_WORDS } from "./shell-words.ts";

const NO_SHELLS = "# The team has no shells.";

/** `elastic shell ssh-config`: so that ssh, editors and rsync know shells by their names. */
export function shellSshConfig(context: Context): Command {
  return withOutput(new Command("ssh-config"))
    .description(
      "print hosts for OpenSSH's configuration, one for each shell, by its name and id; of two with one name the newest has it",
    )
    .argument("[shell]", `${SHELL_WORDS} (default: all)`, notEmpty("shell"))
    .option(
      "--tickets",
      "hosts that need no key or password, by the login of this command; faster where the image has an sshd",
    )
    .addHelpText(
      "after",
      examples(
        "elastic shell ssh-config lab",
        "elastic shell ssh-config --tickets lab",
        "elastic shell ssh-config > ~/.ssh/elastic   # and at the top of ~/.ssh/config: Include elastic",
      ),
    )
    .action(async (given: string | undefined, options: { readonly tickets?: boolean }) => {
      const caller = await openSession(context);
      const shells = given === undefined ? await listShells(caller) : [await findShell(caller, given)];
      const hosts = shells.map((shell) => ({ name: shell.shell_name, ...addressOf(shell) }));
      if (options.tickets === true) return printWithTickets(context, hosts);
      const knownHosts = await knowHosts(context.settings.configDir, hosts);
      const json = hosts.map(({ hostKey, ...host }) => ({ ...host, host_key: hostKey, known_hosts: knownHosts }));
      context.printer.result({
        json,
        text: hosts.length === 0 ? NO_SHELLS : hostBlocks(hosts, knownHosts),
      });
    });
}

/** Each as a host that has OpenSSH get a ticket. */
async function printWithTickets(context: Context, shells: readonly NamedShell[]): Promise<void> {
  const { configDir } = context.settings;
  const key = await clientKey(configDir);
  if (key === null) {
    throw new CliError("OpenSSH's ssh-keygen is not on this machine.", { code: "no_openssh", next: "Install it." });
  }
  const hosts = await Promise.all(
    shells.map(async (shell) => {
      const knownHosts = await knowShells(configDir, shell);
      const { user, host, port } = ticketTarget(shell);
      const options = ticketOptions(proxyCommand(shell.user), key, knownHosts);
      return { name: shell.name, shell_id: shell.user, host, port, user, options };
    }),
  );
  context.printer.result({
    json: hosts.map(({ options, ...host }) => ({ ...host, options: Object.fromEntries(options) })),
    text: hosts.length === 0 ? NO_SHELLS : ticketBlocks(hosts),
  });
}
