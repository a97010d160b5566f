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
  const first = new Map(shells.toReversed().map((shell) => [shell.name, shell]));
  return shells
    .map((shell) => {
      const isCalled = first.get(shell.name) === shell && !shell.name.includes(".");
      return hostBlock(isCalled ? `${shell.name} ${shell.user}` : shell.user, shell, knownHosts);
    })
    .join("\n");
}

function hostBlock(names: string, { user, host, port }: ShellAddress, knownHosts: string): string {
  const lines = [["HostName", host], ["Port", port], ["User", user], ...trustOptions(knownHosts)];
  return [`Host ${names}`, ...lines.map((line) => `  ${line.join(" ")}`)].join("\n");
}
