/**
 * Keeps two upgrades of one machine apart, and an upgrade from an installation, which takes the same lock (install.sh). By a file that
 * root alone can open: whoever can open a file can lock it, and any user could have what has no file, such as an abstract socket.
 * What a process holds is released when it ends, however it ends.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

const LOCK = ".lock";
const TAKEN = 75;
const CLOSED_TO_OTHERS = 0o600;

/** Returns how to release it; null while another process has it. Throws where it cannot be had. */
export async function claimUpgrade(home: string): Promise<(() => Promise<void>) | null> {
  const file = join(home, LOCK);
  makeLockFile(file);
  // Node has no file locks. It ends with its standard input, and no signal of a terminal reaches it.
  const args = ["--nonblock", "--conflict-exit-code", String(TAKEN), file, "sh", "-c", "echo; exec cat"];
  const holder = spawn("flock", args, { stdio: ["pipe", "pipe", "ignore"], detached: true });
  const ended = once(holder, "close") as Promise<[number | null]>;
  const held = once(holder.stdout, "data").then(() => "held" as const);
  const outcome = await Promise.race([held, ended]);
  if (outcome !== "held") {
    if (outcome[0] === TAKEN) return null;
    throw new Error(`${file} could not be locked: flock ended with ${outcome[0]}. Nothing was changed`);
  }
  return async () => {
    holder.stdin.end();
    await ended;
  };
}

/** Closed to other users. One that was not is replaced: somebody may hold it. */
function makeLockFile(file: string): void {
  const mode = modeOf(file);
  if ((mode & 0o077) === 0) return;
  rmSync(file);
  modeOf(file);
}

function modeOf(file: string): number {
  const descriptor = openSync(file, "a", CLOSED_TO_OTHERS);
  const { mode } = fstatSync(descriptor);
  closeSync(descriptor);
  return mode;
}
