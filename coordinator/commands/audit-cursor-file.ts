/** The file in which an export of the audit log remembers how far it came. */
import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { BEGIN, beginAt, type ExportCursor, parseCursor } from "../audit/export/export-cursor.ts";

export function readCursor(file: string | null, from: number | null): ExportCursor {
  if (file !== null && existsSync(file)) {
    const cursor = parseCursor(readFileSync(file, "utf8"));
    if (cursor !== null) return cursor;
    throw new Error(
      `${file} is no cursor of an export: name another file, or remove it to begin again; nothing was exported`,
    );
  }
  return from === null ? BEGIN : beginAt(from);
}

/** Before anything is exported: what cannot be remembered afterwards would be exported again. */
export function checkCursorFile(file: string): void {
  try {
    // It is replaced by a rename, which the folder has to permit.
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new Error(
      `the cursor cannot be written to ${file} (${(error as Error).message}): name a file in a folder that exists and this user may write to; nothing was exported`,
    );
  }
}

/** Complete or not at all. */
export function storeCursor(file: string, cursor: ExportCursor): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(cursor), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new Error(
      `the cursor cannot be written to ${file} (${(error as Error).message}), and stays as it was: make room there; the next export repeats what this one exported last`,
    );
  }
}
