/** A copy of a master key that is about to leave the key file: older backups open with it alone. */
import { closeSync, fsyncSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { isKeyLine, parseKeyFile } from "./key-file.ts";

/** Returns the copy's path, a key file itself. Throws with a sentence where it cannot be kept. */
export function keepRetiredKey(keyFile: string, id: string): string {
  const copy = `${keyFile}.retired-${id}`;
  const line = readFileSync(keyFile, "utf8")
    .split("\n")
    .find((one) => isKeyLine(one) && parseKeyFile(one, keyFile)[0].id === id);
  if (line === undefined) throw new Error(`key ${id} is not in ${keyFile}. Nothing was changed`);
  try {
    writeNew(copy, `# retired master key ${id}: backups from before open with it\n${line.trim()}\n`);
  } catch (error) {
    if (isKept(copy, id)) return copy;
    throw new Error(
      `the key to be retired cannot be kept in ${copy} (${(error as NodeJS.ErrnoException).code}): run this as a user who may ` +
        "write there; or, where the key file is mounted, keep a copy of it and remove its second key where it comes from. " +
        "Nothing was changed",
      { cause: error },
    );
  }
  return copy;
}

function writeNew(path: string, text: string): void {
  const handle = openSync(path, "wx", 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** By a step that was broken off. */
function isKept(copy: string, id: string): boolean {
  try {
    return parseKeyFile(readFileSync(copy, "utf8"), copy)[0].id === id;
  } catch {
    return false;
  }
}
