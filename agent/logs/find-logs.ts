/** The logs that an earlier process left on disk. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { type AttemptKey, parseAttemptKey } from "../domain/attempt-key.ts";
import { type LogFile, parseLogFileName } from "./held-log.ts";

export interface FoundLog {
  readonly key: AttemptKey;
  readonly ref: AttemptRef;
  readonly file: LogFile;
}

/** What is no log goes, and so does the one that begins earlier of two of one attempt: its bytes were acknowledged. */
export async function findLogs(folder: string): Promise<readonly FoundLog[]> {
  const found = new Map<AttemptKey, FoundLog>();
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const parsed = parseLogFileName(name);
    const ref = parsed === null ? null : parseAttemptKey(parsed.key);
    const { size } = await stat(path);
    const other = parsed === null ? undefined : found.get(parsed.key)?.file;
    if (parsed === null || ref === null || size === 0 || (other !== undefined && other.start >= parsed.start)) {
      await rm(path, { force: true });
      continue;
    }
    if (other !== undefined) await rm(other.path, { force: true });
    found.set(parsed.key, { key: parsed.key, ref, file: { path, start: parsed.start, bytes: size } });
  }
  return [...found.values()];
}
