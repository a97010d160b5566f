/**
 * Changes the file of the master keys under running coordinators: whoever reads it has the text before or the text
 * after, and it keeps its mode and its owner. Comments stay.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { isKeyLine, type MasterKeys, newKeyLine, parseKeyFile } from "./key-file.ts";

/** With another one, which only opens until the keys are swapped. */
export function withSecondKey(text: string, line = newKeyLine()): string {
  const lines = text.split("\n");
  lines.splice(lines.findLastIndex(isKeyLine) + 1, 0, line);
  return lines.join("\n");
}

export function withKeysSwapped(text: string): string {
  const lines = text.split("\n");
  const [first = 0, second = 0] = lines.flatMap((line, index) => (isKeyLine(line) ? [index] : []));
  return lines
    .with(first, lines[second] ?? "")
    .with(second, lines[first] ?? "")
    .join("\n");
}

export function withoutSecondKey(text: string): string {
  const lines = text.split("\n");
  const [, second] = lines.flatMap((line, index) => (isKeyLine(line) ? [index] : []));
  return lines.filter((_, index) => index !== second).join("\n");
}

/** Of a file that is there: none is made. */
export function readPresentKeys(path: string): MasterKeys {
  return parseKeyFile(readFileSync(path, "utf8"), path);
}

/** Returns the keys that the file has then. */
export function changeKeyFile(path: string, change: (text: string) => string): MasterKeys {
  // A link, as orchestrators mount secrets, stays one.
  const file = realpathSync(path);
  const before = readFileSync(file, "utf8");
  const after = change(before);
  const keys = parseKeyFile(after, path);
  if (after === before) return keys;
  const { mode, uid, gid } = statSync(file);
  const next = `${file}.${randomBytes(6).toString("hex")}`;
  let isMade = false;
  try {
    const handle = openSync(next, "wx", 0o600);
    isMade = true;
    try {
      writeFileSync(handle, after);
      const own = statSync(next);
      if (own.uid !== uid || own.gid !== gid) fchownSync(handle, uid, gid);
      fchmodSync(handle, mode & 0o7777);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (readFileSync(file, "utf8") !== before)
      throw new Error(`${path} was changed by another: nothing was changed here`);
    renameSync(next, file);
  } catch (error) {
    if (isMade) rmSync(next, { force: true });
    throw whyUnchanged(path, error as NodeJS.ErrnoException);
  }
  syncFolder(dirname(file));
  return keys;
}

/** From the keys that were judged to those that are wanted; where it has these already, another command did the same. */
export function changeJudgedFile(
  keyFile: string,
  judged: readonly string[],
  wanted: readonly string[],
  change: (text: string) => string,
): void {
  changeKeyFile(keyFile, (text) => {
    const ids = parseKeyFile(text, keyFile).map(({ id }) => id);
    if (ids.join() === wanted.join()) return text;
    if (ids.join() === judged.join()) return change(text);
    throw new Error(
      `another command changed ${keyFile} at the same time: it has key ${ids.join(", ")} and not ${judged.join(", ")}, and was not ` +
        "changed by this one: look with `secrets status`",
    );
  });
}

function whyUnchanged(path: string, error: NodeJS.ErrnoException): Error {
  if (error.code === undefined) return error;
  const remedy = "run this as a user who may write there, or, where the file is mounted, change it where it comes from";
  return new Error(`${path} cannot be replaced (${error.code}): ${remedy}. The file is as it was`, { cause: error });
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
