/**
 * The plaintext of a backup, a JSON document a line: the header; entries and the blobs that they name, in any order; the
 * trailer, which counts them and has the digest of every line before it. Text stands as it is, other bytes in base64.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { BlobAddress } from "../../blobs/blob-store.ts";
import { BackupError } from "./backup-error.ts";
import { type BackupHeader, readHeader } from "./header.ts";

export interface BackupEntry {
  readonly key: string;
  readonly value: Buffer;
}

export interface BackupBlob extends BlobAddress {
  /** Null where the record that names it does not say. */
  readonly bytes: number | null;
}

export interface BackupCounts {
  readonly entries: number;
  readonly blobs: number;
}

export interface BackupTrailer extends BackupCounts {
  /** Of all lines before. */
  readonly sha256: string;
}

/** Entries, and the blobs that they name. */
export interface BackupPage {
  readonly entries: readonly BackupEntry[];
  readonly blobs: readonly BackupBlob[];
}

export type BackupItem =
  | { readonly kind: "header"; readonly header: BackupHeader }
  | { readonly kind: "entry"; readonly entry: BackupEntry }
  | { readonly kind: "blob"; readonly blob: BackupBlob }
  | { readonly kind: "end"; readonly trailer: BackupTrailer };

/** A line holds one value of etcd, which takes 1.5 MiB at most. */
const LINE_CHARS_MAX = 16 * 1024 * 1024;

/** `onEnd` receives the trailer with the last chunk. */
export async function* writeLines(
  header: BackupHeader,
  pages: AsyncIterable<BackupPage>,
  onEnd: (trailer: BackupTrailer) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let entries = 0;
  let blobs = 0;
  const hashed = (lines: readonly object[]): Buffer => {
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    hash.update(bytes);
    return bytes;
  };
  yield hashed([header]);
  for await (const page of pages) {
    entries += page.entries.length;
    blobs += page.blobs.length;
    yield hashed([...page.entries.map(entryLine), ...page.blobs.map((blob) => ({ blob }))]);
  }
  const trailer = { entries, blobs, sha256: hash.digest("hex") };
  onEnd(trailer);
  yield Buffer.from(`${JSON.stringify({ end: trailer })}\n`);
}

/** Ends after the trailer. Throws BackupError where a line, or the end, is not as it was written. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BackupItem> {
  const hash = createHash("sha256");
  const counts = { entries: 0, blobs: 0 };
  let isFirst = true;
  let isEnded = false;
  for await (const line of splitLines(chunks)) {
    if (isEnded) throw damaged("there is more after its end");
    const item = isFirst ? ({ kind: "header", header: readHeader(parse(line)) } as const) : itemOf(parse(line));
    isFirst = false;
    if (item.kind === "end") {
      const found = { ...counts, sha256: hash.digest("hex") };
      const { entries, blobs, sha256 } = item.trailer;
      const isSame = entries === found.entries && blobs === found.blobs && sha256 === found.sha256;
      if (!isSame) throw damaged("its end does not match what precedes it");
      isEnded = true;
    } else hash.update(line);
    if (item.kind === "entry") counts.entries += 1;
    if (item.kind === "blob") counts.blobs += 1;
    yield item;
  }
  if (!isEnded) throw damaged("its end is missing");
}

function damaged(how: string): BackupError {
  return new BackupError(`the backup is damaged: ${how}. Use another one`);
}

function entryLine({ key, value }: BackupEntry): object {
  return isUtf8(value) ? { k: key, t: value.toString("utf8") } : { k: key, b: value.toString("base64") };
}

function itemOf(line: object): BackupItem {
  const { k, t, b, blob, end } = line as Record<string, unknown>;
  if (typeof k === "string" && typeof t === "string") return entry(k, Buffer.from(t));
  if (typeof k === "string" && typeof b === "string") return entry(k, Buffer.from(b, "base64"));
  if (typeof blob === "object" && blob !== null) return { kind: "blob", blob: blob as BackupBlob };
  if (typeof end === "object" && end !== null) return { kind: "end", trailer: end as BackupTrailer };
  throw damaged("a line is not as it was written");
}

function entry(key: string, value: Buffer): BackupItem {
  return { kind: "entry", entry: { key, value } };
}

function parse(line: Buffer): object {
  try {
    return Object(JSON.parse(line.toString("utf8"))) as object;
  } catch {
    throw damaged("a line is not as it was written");
  }
}

/** Each with its newline. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      yield Buffer.concat([...pieces, rest.subarray(0, at + 1)]);
      pieces = [];
      bytes = 0;
      rest = rest.subarray(at + 1);
    }
    if (rest.length === 0) continue;
    pieces.push(rest);
    bytes += rest.length;
    if (bytes > LINE_CHARS_MAX) throw damaged("a line does not end");
  }
  if (bytes > 0) throw damaged("its last line is cut");
}
