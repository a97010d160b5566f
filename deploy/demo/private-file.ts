/** JSON files with a secret in them. */
import { renameSync, writeFileSync } from "node:fs";

/** For its owner only. A reader never sees half of it. */
export function writePrivately(file: string, value: object): void {
  writeFileSync(unfinished(file), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished(file), file);
}

/** What the file is called until it is complete. */
export function unfinished(file: string): string {
  return `${file}.new`;
}
