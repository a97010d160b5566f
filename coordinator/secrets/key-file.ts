/**
 * The file that holds the master keys: one a line, 32 bytes in base64 or hexadecimal, at most two. The first seals
 * and signs; the second only opens and verifies, so that keys can be rotated. Shared by all coordinators, and never in
 * the store.
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const KEYS_MAX = 2;
const KEY_BYTES = 32;

export interface MasterKey {
  /** The start of the key's digest; names the key in what it sealed. */
  readonly id: string;
  readonly bytes: Buffer;
}

export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

/** Reads the keys. A file that is not there is made, with a new key, for its owner only. */
export function readKeyFile(path: string): MasterKeys {
  return parseKeyFile(readOrCreate(path), path);
}

/** Of the file's text; `path` is for messages. */
export function parseKeyFile(text: string, path: string): MasterKeys {
  const lines = text.split("\n").filter(isKeyLine);
  const [first, ...rest] = lines.map((line, index) => parseKey(line.trim(), `${path}: key ${index + 1}`));
  if (first === undefined) throw new Error(`${path}: no key in it`);
  if (rest.length >= KEYS_MAX) throw new Error(`${path}: ${rest.length + 1} keys, at most ${KEYS_MAX} can be live`);
  return [first, ...rest];
}

/** Neither empty nor a comment. */
export function isKeyLine(line: string): boolean {
  const text = line.trim();
  return text !== "" && !text.startsWith("#");
}

/** As the file spells it. */
export function newKeyLine(): string {
  return randomBytes(KEY_BYTES).toString("base64");
}

/** Linked into place when complete, so that of two coordinators that start together both read the same key. */
function readOrCreate(path: string): string {
  if (existsSync(path)) return readFileSync(path, "utf8");
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(fresh, `${newKeyLine()}\n`, { flag: "wx", mode: 0o600, flush: true });
  try {
    linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(fresh);
  }
  return readFileSync(path, "utf8");
}

function parseKey(line: string, where: string): MasterKey {
  const bytes = Buffer.from(line, /^[0-9a-fA-F]{64}$/.test(line) ? "hex" : "base64");
  if (bytes.length !== KEY_BYTES) throw new Error(`${where} is not ${KEY_BYTES} bytes in base64 or hexadecimal`);
  return { id: createHash("sha256").update(bytes).digest("hex").slice(0, 8), bytes };
}
