/**
 * The key with which this machine's OpenSSH logs in where it has a ticket: it opens nothing without one. Made once, next to the
 * login.
 */
import { execFile } from "node:child_process";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface ClientKey {
  /** Of the private key. */
  readonly path: string;
  /** The line of the public one. */
  readonly public: string;
}

/** Null where OpenSSH's ssh-keygen cannot make one. */
export async function clientKey(configDir: string): Promise<ClientKey | null> {
  const path = join(configDir, "shell_key");
  const known = await readPublic(path);
  if (known !== null) return { path, public: known };
  const fresh = `${path}.${process.pid}`;
  try {
    await mkdir(configDir, { recursive: true, mode: 0o700 });
    await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "elastic", "-f", fresh]);
    // The private one first: whoever reads the public one has both.
    await rename(fresh, path);
    await rename(`${fresh}.pub`, `${path}.pub`);
  } catch {
    await Promise.all([fresh, `${fresh}.pub`].map((left) => rm(left, { force: true }).catch(() => undefined)));
  }
  const made = await readPublic(path);
  return made === null ? null : { path, public: made };
}

async function readPublic(path: string): Promise<string | null> {
  const text = await readFile(`${path}.pub`, "utf8").catch(() => "");
  return text.trim() === "" ? null : text.trim();
}
