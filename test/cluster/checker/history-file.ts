/** Writes a history of any length to a file as it happens; nothing of it is retained in memory. */
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { HistoryLine } from "../../checker/history-line.ts";

export interface HistoryFile {
  readonly path: string;
  write(line: HistoryLine): void;
  /** Resolves once everything is in the file. */
  close(): Promise<void>;
}

export function openHistoryFile(path: string): HistoryFile {
  const file = createWriteStream(path);
  return {
    path,
    write: (line) => void file.write(`${JSON.stringify(line)}\n`),
    async close() {
      file.end();
      await finished(file);
    },
  };
}
