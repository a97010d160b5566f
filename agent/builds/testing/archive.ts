/** Source archives for tests, well-formed and otherwise. */
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";

export interface Archive {
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** An entry's header, or the text of a file of that name. */
export type Entries = readonly (readonly [string, string] | (Partial<Header> & { readonly name: string }))[];

export async function archiveOf(
  entries: Entries,
  options: { readonly gzip: boolean } = { gzip: true },
): Promise<Archive> {
  const tar = pack();
  for (const entry of entries) {
    if (Array.isArray(entry)) tar.entry({ name: entry[0] }, entry[1]);
    else tar.entry({ ...(entry as Header), size: 0 }, "");
  }
  tar.finalize();
  const plain = await buffer(tar);
  return asArchive(options.gzip ? gzipSync(plain) : plain);
}

export function asArchive(bytes: Buffer): Archive {
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}
