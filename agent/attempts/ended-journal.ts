/**
 * The attempts of this node whose outcome a coordinator committed, the newest ones: after a restore of the store they name tasks
 * that the backup did not have. A file with a key a line, appended to now and then; what a crash of the machine loses of it are
 * names in a list that operators read.
 */
import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type AttemptKey, attemptKey, parseAttemptKey } from "../domain/attempt-key.ts";

export interface EndedJournal {
  add(ref: AttemptRef): void;
  /** Those of store epochs before this one, the oldest first. */
  before(storeEpoch: bigint): readonly AttemptRef[];
  /** A coordinator has noted them. */
  drop(refs: readonly AttemptRef[]): void;
  /** Writes what is not written yet. */
  stop(): Promise<void>;
}

const ATTEMPTS_MAX = 10_000;
const WRITE_EVERY_MS = 1_000;

export async function openEndedJournal(
  file: string,
  log: Pick<Logger, "warn">,
  attemptsMax = ATTEMPTS_MAX,
): Promise<EndedJournal> {
  const ended = await load(file, attemptsMax);
  const fresh: AttemptKey[] = [];
  let linesInFile = ended.size;
  let isOutdated = false;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    // Twice as many lines as attempts, at most.
    if (isOutdated || linesInFile + fresh.length > 2 * attemptsMax) {
      isOutdated = false;
      fresh.length = 0;
      linesInFile = ended.size;
      await writeFile(`${file}.part`, linesOf([...ended.keys()]), { mode: 0o600 });
      await rename(`${file}.part`, file);
      return;
    }
    const lines = fresh.splice(0);
    linesInFile += lines.length;
    if (lines.length > 0) await appendFile(file, linesOf(lines), { mode: 0o600 });
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write).catch((error: unknown) => {
      log.warn({ err: error, file }, "the names of ended attempts could not be written");
    });
    return writing;
  };
  const timer = setInterval(() => void flush(), WRITE_EVERY_MS).unref();

  return {
    add: (ref) => {
      const key = attemptKey(ref);
      if (ended.has(key)) return;
      ended.set(key, ref);
      fresh.push(key);
      for (const oldest of ended.keys()) {
        if (ended.size <= attemptsMax) break;
        ended.delete(oldest);
      }
    },
    before: (storeEpoch) => [...ended.values()].filter(({ token }) => (token?.storeEpoch ?? 0n) < storeEpoch),
    drop: (refs) => {
      for (const ref of refs) isOutdated = ended.delete(attemptKey(ref)) || isOutdated;
    },
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

async function load(file: string, attemptsMax: number): Promise<Map<AttemptKey, AttemptRef>> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const ended = new Map<AttemptKey, AttemptRef>();
  for (const line of text.split("\n").slice(-attemptsMax - 1)) {
    const ref = parseAttemptKey(line);
    if (ref !== null) ended.set(line, ref);
  }
  return ended;
}

function linesOf(keys: readonly AttemptKey[]): string {
  return keys.map((key) => `${key}\n`).join("");
}
