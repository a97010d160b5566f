/** Where a shell is reached, as OpenSSH's programs are told. */
import type { ShellRecord } from "../api/records.ts";
import { CliError } from "../errors/cli-error.ts";

export interface ShellAddress {
  readonly user: string;
  readonly host: string;
  readonly port: number;
}

export function addressOf({ username: user, hostname, port }: ShellRecord): ShellAddress {
  if (hostname !== null && port !== null) return { user, host: hostname, port };
  throw new CliError("This installation has no SSH gateway: nobody can log into its shells.", {
    code: "no_gateway",
    next: "Whoever runs it sets ELASTIC_SSH_LISTEN.",
  });
}

/** What follows `ssh`. */
export function sshArguments({ user, host, port }: ShellAddress, command: readonly string[]): readonly string[] {
  return ["-p", String(port), `${user}@${host}`, ...command];
}

/**
 * A `Host` of OpenSSH's configuration, by the shell's id and its name; a word of its language can hold neither quotes
 * nor spaces here. A name with a dot may be that of another host, which a team's member must not take over.
 */
export function hostBlock(name: string, { user, host, port }: ShellAddress): string {
  const names = name.includes(".") ? user : `${name} ${user}`;
  return [`Host ${names}`, `  HostName ${host}`, `  Port ${port}`, `  User ${user}`].join("\n");
}
