/** What a person types on their own machine to log into a shell. */
import type { Shell } from "./shells-query.ts";

type Gateway = Pick<Shell, "username" | "hostname" | "port" | "host_key">;

/** Null where the installation has no SSH gateway. */
export function sshLine({ username, hostname, port }: Gateway): string | null {
  if (hostname === null) return null;
  const target = `${username}@${hostname}`;
  return port === null || port === 22 ? `ssh ${target}` : `ssh -p ${port} ${target}`;
}

/** By which OpenSSH knows the gateway; null where there is none. */
export function knownHostsLine({ hostname, port, host_key: key }: Gateway): string | null {
  if (hostname === null || key === null) return null;
  return `${port === null || port === 22 ? hostname : `[${hostname}]:${port}`} ${key}`;
}
