/**
 * How OpenSSH gets into a shell with a ticket: over a connection on which another program has shown the ticket to the gateway.
 * The gateway then passes on what OpenSSH and an sshd in the shell say, or serves it itself where the shell has none. Either
 * way OpenSSH accepts the gateway's key, or a key that it has certified for this very shell, and no other.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../package/package-root.ts";
import { writePrivateFile } from "../session/private-file.ts";
import type { ShellAddress } from "./address.ts";
import type { ClientKey } from "./client-key.ts";

/** As whom an sshd in a shell knows all of its users. */
const USER = "nobody";

/** What ssh and scp are given in place of the gateway: a name that is looked up nowhere. */
export function ticketTarget({ user: shellId, hostKey }: ShellAddress): ShellAddress {
  return { user: USER, host: shellId, port: 22, hostKey };
}

/** Whether OpenSSH takes a connection over from its ProxyCommand. */
const TAKES_OVER = process.platform !== "win32";

/** Connects OpenSSH with the gateway; its ticket is in the environment. */
export function connectCommand({ host, port }: Pick<ShellAddress, "host" | "port">): readonly string[] {
  return connectProgram(host, String(port));
}

/** The same with a new ticket at each connection. */
export function proxyCommand(shellId: string): readonly string[] {
  return connectProgram(shellId);
}

/** Node takes its standard output for the channel over which it hands a connection over. */
function connectProgram(...args: readonly string[]): readonly string[] {
  const command = [process.execPath, join(PACKAGE_ROOT, "bin", "connect-ssh.js"), ...args];
  return TAKES_OVER ? ["env", "NODE_CHANNEL_FD=1", ...command] : command;
}

/** Options of OpenSSH, or lines of its configuration. */
export function ticketOptions(
  command: readonly string[],
  key: Pick<ClientKey, "path">,
  knownHosts: string,
): readonly (readonly [keyword: string, value: string])[] {
  return [
    ["ProxyCommand", command.map(quoted).join(" ")],
    ["ProxyUseFdpass", TAKES_OVER ? "yes" : "no"],
    ["UserKnownHostsFile", `"${knownHosts}"`],
    ["StrictHostKeyChecking", "yes"],
    ["HostKeyAlgorithms", "ssh-ed25519-cert-v01@openssh.com,ssh-ed25519"],
    ["UpdateHostKeys", "no"],
    ["IdentityFile", `"${key.path}"`],
    ["IdentitiesOnly", "yes"],
    ["PreferredAuthentications", "publickey"],
    // Whoever else uses the shell could use what is forwarded into it.
    ["ForwardAgent", "no"],
    ["ForwardX11", "no"],
    // Signs of life would count as use, and put off the stop of an unused shell.
    ["ServerAliveInterval", "0"],
  ];
}

/** The file by which OpenSSH knows the shells of that gateway: one for each gateway, so that its text never changes. */
export async function knowShells(configDir: string, { hostKey }: Pick<ShellAddress, "hostKey">): Promise<string> {
  const name = createHash("sha256").update(hostKey).digest("hex").slice(0, 16);
  const path = join(configDir, `known_shells_${name}`);
  await writePrivateFile(path, `@cert-authority * ${hostKey}\n* ${hostKey}\n`);
  return path;
}

/** For the user's shell, after OpenSSH has replaced what follows a percent sign. */
function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@+=-]+$/.test(word) ? word : `"${word.replace(/[\\"$`]/g, "\\$&").replaceAll("%", "%%")}"`;
}
