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

/** A `Host` of OpenSSH's configuration; a word of its language can hold neither quotes nor spaces here. */
export function hostBlock(name: string, { user, host, port }: ShellAddress): string {
  return [`Host ${name}`, `  HostName ${host}`, `  Port ${port}`, `  User ${user}`].join("\n");
}
