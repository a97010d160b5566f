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

/** A header as no well-meant program writes it; what it announces follows as the test likes. `size` as it stands there. */
export function rawHeader(header: {
  readonly name: string;
  readonly type: string;
  readonly size: string;
  /** Of a link. */
  readonly target?: string;
}): Buffer {
  const block = Buffer.alloc(512);
  block.write(header.name, 0, 100);
  block.write("0000644\0", 100);
  block.write(header.size, 124, 12, "latin1");
  block.write(header.type, 156);
  block.write(header.target ?? "", 157, 100);
  block.write("ustar\x0000", 257);
  block.fill(" ", 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** A header with its content, filled up to full blocks. */
export function rawEntry(name: string, type: string, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const header = rawHeader({ name, type, size: bytes.length.toString(8).padStart(11, "0") });
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
