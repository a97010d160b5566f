/**
 * Outcomes that no coordinator has acknowledged, stored on disk so that they outlive the agent. One file per
 * outcome, `<key>.outcome`, and next to it `<key>.result` for a result too long for a report. Files appear by
 * rename after fsync; an incomplete file is set aside as `<key>.broken` and never used.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { AttemptKey } from "../domain/attempt-key.ts";

interface SpooledOutcome {
  readonly key: AttemptKey;
  readonly report: AttemptReport;
}

export interface Spool {
  /** Where the long result of an attempt goes. */
  resultPath(key: AttemptKey): string;
  /** What an earlier process left. */
  readonly found: readonly SpooledOutcome[];
  /** Durable when it resolves to true; false when the spool is full. */
  keep(key: AttemptKey, report: AttemptReport): Promise<boolean>;
  /** The outcome and its result are no longer needed. */
  drop(key: AttemptKey): Promise<void>;
  /** How many outcomes are stored. */
  size(): number;
}

export interface SpoolLimits {
  readonly outcomesMax: number;
}

const MAGIC = Buffer.from("EPSO");
const HEADER_BYTES = MAGIC.length + 4;
const OUTCOME = ".outcome";
const RESULT = ".result";

export async function openSpool(folder: string, limits: SpoolLimits, log: Logger): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await load(folder, log);
  const stored = new Set(found.map(({ key }) => key));

  return {
    found,
    resultPath: (key) => join(folder, `${key}${RESULT}`),
    keep: async (key, report) => {
      if (!stored.has(key) && stored.size >= limits.outcomesMax) return false;
      stored.add(key);
      await writeDurably(folder, `${key}${OUTCOME}`, encode(report));
      return true;
    },
    drop: async (key) => {
      if (stored.delete(key)) await rm(join(folder, `${key}${OUTCOME}`), { force: true });
      await rm(join(folder, `${key}${RESULT}`), { force: true });
    },
    size: () => stored.size,
  };
}

function encode(report: AttemptReport): Buffer {
  const body = Buffer.from(AttemptReport.encode(report).finish());
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32LE(crc32(body), MAGIC.length);
  return Buffer.concat([header, body]);
}

/** Null for bytes that are not a complete outcome. */
function decode(bytes: Buffer): AttemptReport | null {
  const body = bytes.subarray(HEADER_BYTES);
  if (bytes.length <= HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (crc32(body) !== bytes.readUInt32LE(MAGIC.length)) return null;
  return AttemptReport.decode(body);
}

async function load(folder: string, log: Logger): Promise<readonly SpooledOutcome[]> {
  const names = await readdir(folder);
  const found: SpooledOutcome[] = [];
  for (const name of names.filter((entry) => entry.endsWith(OUTCOME))) {
    const key = name.slice(0, -OUTCOME.length);
    const report = decode(await readFile(join(folder, name)));
    if (report !== null && (await isResultComplete(folder, key, report))) {
      found.push({ key, report });
    } else {
      log.error({ file: name }, "a spooled outcome is damaged and set aside");
      await rename(join(folder, name), join(folder, `${key}.broken`));
    }
  }
  // What belongs to no outcome was being written when the process before ended.
  const complete = new Set(found.flatMap(({ key }) => [`${key}${OUTCOME}`, `${key}${RESULT}`]));
  for (const name of names) {
    if (!complete.has(name) && !name.endsWith(".broken")) await rm(join(folder, name), { force: true });
  }
  return found;
}

async function isResultComplete(folder: string, key: AttemptKey, { outcome }: AttemptReport): Promise<boolean> {
  if (outcome?.$case !== "succeeded" || outcome.value.result?.$case !== "uploaded") return true;
  const { sizeBytes } = outcome.value.result.value;
  const size = await stat(join(folder, `${key}${RESULT}`)).then(
    (info) => info.size,
    () => -1,
  );
  return BigInt(size) === sizeBytes;
}

async function writeDurably(folder: string, name: string, bytes: Buffer): Promise<void> {
  const temporary = join(folder, `${name}.part`);
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(folder, name));
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
