/**
 * Where this agent's Unix sockets are. A socket's path may have 107 bytes, so where the state directory is too
 * deep they are in a short folder that its path names; always the same one for the same state directory.
 */
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PATH_BYTES_MAX = 107;
/** Longest name of a socket in the folder. */
const NAME_BYTES_MAX = 24;

export function socketDirOf(stateDir: string): string {
  const inside = join(resolve(stateDir), "run");
  if (Buffer.byteLength(inside) + 1 + NAME_BYTES_MAX <= PATH_BYTES_MAX) return inside;
  const digest = createHash("sha256").update(resolve(stateDir)).digest("hex").slice(0, 16);
  return join(tmpdir(), `elastic-agent-${digest}`);
}

/** Makes the folder; refuses one that somebody else made in a place open to all. */
export function makeSocketDir(stateDir: string): string {
  const folder = socketDirOf(stateDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const info = lstatSync(folder);
  if (!info.isDirectory() || info.uid !== process.getuid?.()) throw new Error(`${folder} belongs to somebody else`);
  chmodSync(folder, 0o700);
  return folder;
}

/** Removes what a killed agent left: whatever listened there has died with it. Only while no agent runs there. */
export async function clearSocketDir(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith(".sock")) await rm(join(folder, name), { force: true });
  }
}
