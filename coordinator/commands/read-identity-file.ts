/** The private keys that a backup is decrypted with. */
import { readFile } from "node:fs/promises";
import { readIdentities } from "../backup/file/age.ts";
import { BackupError } from "../backup/file/backup-error.ts";
import { ConfigError } from "../config/config.ts";

export async function readIdentityFile(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) {
    throw new ConfigError("name the file with the private key of the backup (--identity), which backup-key made");
  }
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new BackupError(`nothing was changed: the private key cannot be read: ${error.message}`);
  });
  return readIdentities(text, file);
}
