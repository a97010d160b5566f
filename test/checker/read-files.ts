/** Histories from files: every line with its place, and every line that is not as documented. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { At, HistoryLine } from "./history-line.ts";
import { BadLineError, parseLine } from "./parse-line.ts";

export interface ReadLines {
  readonly lines: readonly At<HistoryLine>[];
  /** `<file>:<line>: <what is wrong>`. */
  readonly bad: readonly string[];
  /** How many lines of text there were. */
  readonly textLines: number;
}

/** `onLines` is called now and then with how many lines were read. Rejects where a file cannot be read. */
export async function readFiles(files: readonly string[], onLines: (count: number) => void): Promise<ReadLines> {
  const lines: At<HistoryLine>[] = [];
  const bad: string[] = [];
  let textLines = 0;
  for (const file of files) {
    let number = 0;
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      textLines += 1;
      if (textLines % 10_000 === 0) onLines(textLines);
      const place = { file, line: number };
      try {
        for (const line of parseLine(text)) lines.push({ ...line, place });
      } catch (error) {
        if (!(error instanceof BadLineError)) throw error;
        bad.push(`${file}:${number}: ${error.message}`);
      }
    }
  }
  return { lines, bad, textLines };
}
