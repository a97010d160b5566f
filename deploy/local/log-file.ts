/** A log file that is kept small: when it is full it becomes `<file>.1`, in place of the one before. */
import { appendFileSync, renameSync, statSync } from "node:fs";

const BYTES_MAX = 16 * 1024 * 1024;

export interface LogFile {
  append(line: string): void;
}

/** Opens `path` for appending. A line that cannot be written is dropped: logging never stops what is logged. */
export function openLogFile(path: string, bytesMax: number = BYTES_MAX): LogFile {
  let bytes = sizeOf(path);
  return {
    append(line) {
      try {
        if (bytes > bytesMax) {
          renameSync(path, `${path}.1`);
          bytes = 0;
        }
        appendFileSync(path, `${line}\n`);
        bytes += Buffer.byteLength(line) + 1;
      } catch {
        // The disk is full or the folder is gone; the program continues.
      }
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
