/**
 * How OpenSSH knows the gateways of shells: by a file next to the login, with the keys that the service itself sent. So
 * nobody has to trust the first gateway that responds, and what is in the user's own file does not matter.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "../session/private-file.ts";
import type { ShellAddress } from "./address.ts";

const SSH_PORT = 22;

/** Returns the path of the file, which has the keys of these addresses from now on. */
export async function knowHosts(configDir: string, addresses: readonly ShellAddress[]): Promise<string> {
  const path = join(configDir, "known_hosts");
  // One that is absent, or cannot be read, is overwritten.
  const before = await readFile(path, "utf8").catch(() => "");
  const after = withHosts(before, addresses);
  if (after !== before) await writePrivateFile(path, after);
  return path;
}

/** The file's text: a host that is known by another key is known by this one alone. */
export function withHosts(text: string, addresses: readonly ShellAddress[]): string {
  const lines = new Map(text.split("\n").flatMap((line) => (line === "" ? [] : [[line.split(" ")[0], line]])));
  for (const { host, port, hostKey } of addresses) {
    const name = port === SSH_PORT ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
    lines.set(name, `${name} ${hostKey}`);
  }
  return [...lines.values()].map((line) => `${line}\n`).join("");
}
