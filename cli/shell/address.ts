/** Where a shell is reached, as OpenSSH's programs need it. */
import type { ShellRecord } from "../api/records.ts";
import { CliError } from "../errors/cli-error.ts";

export interface ShellAddress {
  readonly user: string;
  readonly host: string;
  readonly port: number;
  /** Type and base64 of the key by which the gateway is known. */
  readonly hostKey: string;
}

/** Throws a CliError where the installation has no SSH gateway. */
export function addressOf({ username: user, hostname, port, host_key: hostKey }: ShellRecord): ShellAddress {
  if (hostname !== null && port !== null && hostKey !== null) return { user, host: hostname, port, hostKey };
  throw new CliError("This installation has no SSH gateway: nobody can log into its shells.", {
    code: "no_gateway",
    next: "Whoever runs it sets ELASTIC_SSH_LISTEN.",
  });
}

/** What follows `ssh`. */
export function sshArguments({ user, host, port }: ShellAddress, command: readonly string[]): readonly string[] {
  return ["-p", String(port), `${user}@${host}`, ...command];
}

/** For the command line of ssh and scp, or as lines of their configuration: none but the keys of the file. */
export function trustOptions(path: string): readonly (readonly [keyword: string, value: string])[] {
  return [
    ["UserKnownHostsFile", `"${path}"`],
    ["StrictHostKeyChecking", "yes"],
  ];
}
