/** How OpenSSH gets into a shell: with a ticket where the service gives them, else by the user's own key or the password. */
import type { Caller } from "../api/caller.ts";
import { createSshTicket } from "../api/shells.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { type ShellAddress, trustOptions } from "./address.ts";
import { clientKey } from "./client-key.ts";
import { knowHosts } from "./known-hosts.ts";
import { connectCommand, knowShells, ticketOptions, ticketTarget } from "./ticket-way.ts";

export interface Way {
  /** What OpenSSH is given as the user, host and port. */
  readonly target: ShellAddress;
  readonly options: readonly (readonly [keyword: string, value: string])[];
  /** In addition to this process's own. */
  readonly env: Readonly<Record<string, string>>;
}

export async function findWay(configDir: string, caller: Caller, address: ShellAddress): Promise<Way> {
  const key = await clientKey(configDir);
  const ticket = key === null ? null : await ticketOf(caller, address.user, key.public);
  if (key === null || ticket === null) {
    const knownHosts = await knowHosts(configDir, [address]);
    return { target: address, options: trustOptions(knownHosts), env: {} };
  }
  const knownShells = await knowShells(configDir, address);
  return {
    target: ticketTarget(address),
    options: ticketOptions(connectCommand(address), key, knownShells),
    env: { ELASTIC_SSH_TICKET: ticket },
  };
}

/** Null where the service gives none, being older than tickets. */
export async function ticketOf(caller: Caller, shellId: string, publicKey: string): Promise<string | null> {
  try {
    return (await createSshTicket(caller, shellId, publicKey)).ticket;
  } catch (error) {
    if (error instanceof CliError && error.exitCode === EXIT.notFound) return null;
    throw error;
  }
}
