/** Writes a file of the configuration directory atomically, readable by its owner alone. */
import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { CliError } from "../errors/cli-error.ts";

export const ELSEWHERE = "Make the directory writable, or name another one in ELASTIC_CONFIG_DIR.";

/** A crash leaves the old content or the new. Makes the directory; throws a CliError where it cannot be written. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    // Where no folder could be made there is nothing to remove either.
    await rm(temporary, { force: true }).catch(() => {});
    throw new CliError(`Could not write ${path}.`, { next: ELSEWHERE, cause });
  }
}
