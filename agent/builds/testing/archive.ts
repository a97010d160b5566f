/** Source archives for tests, well-formed and otherwise. */
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";

export interface Archive {
  readonly bytes: Buffer;
  readonly sha256: string;
}

type File = readonly [name: string, content: string | Buffer, mode?: number];
/** Files, and headers of what is none. */
export type Entries = readonly (File | (Partial<Header> & { readonly name: string }))[];

/** The same entries give the same archive. */
const EPOCH = new Date(0);

export async function archiveOf(
  entries: Entries,
  options: { readonly gzip: boolean } = { gzip: true },
): Promise<Archive> {
  const tar = pack();
  for (const entry of entries) {
    if (isFile(entry)) tar.entry({ name: entry[0], mode: entry[2] ?? 0o644, mtime: EPOCH }, entry[1]);
    else tar.entry({ ...entry, size: 0 } as Header, "");
  }
  tar.finalize();
  const plain = await buffer(tar);
  return asArchive(options.gzip ? gzipSync(plain) : plain);
}

function isFile(entry: Entries[number]): entry is File {
  return Array.isArray(entry);
}

export function asArchive(bytes: Buffer): Archive {
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}
