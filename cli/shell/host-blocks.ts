/** Shells as hosts of OpenSSH's configuration. */
import { type ShellAddress, trustOptions } from "./address.ts";

export interface NamedShell extends ShellAddress {
  readonly name: string;
}

/**
 * A `Host` for each, by its name and its id; a word of that language can hold neither quotes nor spaces here. Of shells
 * that have one name the first is called by it, since OpenSSH would mix what it finds under two of them. A name with a
 * dot may be that of another host, which a team's member must not take over.
 */
export function hostBlocks(shells: readonly NamedShell[], knownHosts: string): string {
  return blocks(
    shells,
    ({ name, user }) => ({ name, id: user }),
    ({ user, host, port }) => [["HostName", host], ["Port", String(port)], ["User", user], ...trustOptions(knownHosts)],
  );
}

export interface TicketHost {
  readonly name: string;
  readonly shell_id: string;
  readonly host: string;
  readonly user: string;
  readonly options: readonly Line[];
}

/** The same, each reached with a ticket. */
export function ticketBlocks(hosts: readonly TicketHost[]): string {
  return blocks(
    hosts,
    ({ name, shell_id: id }) => ({ name, id }),
    ({ host, user, options }) => [["HostName", host], ["User", user], ...options],
  );
}

type Line = readonly [keyword: string, value: string];

function blocks<Shell>(
  shells: readonly Shell[],
  called: (shell: Shell) => { readonly name: string; readonly id: string },
  lines: (shell: Shell) => readonly Line[],
): string {
  const first = new Map(shells.toReversed().map((shell) => [called(shell).name, shell]));
  return shells
    .map((shell) => {
      const { name, id } = called(shell);
      const isCalled = first.get(name) === shell && !name.includes(".");
      return [`Host ${isCalled ? `${name} ${id}` : id}`, ...lines(shell).map((line) => `  ${line.join(" ")}`)].join(
        "\n",
      );
    })
    .join("\n");
}
