/** A layer of an image: a compressed tar file whose bytes depend on its files alone. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { addFolder } from "../archive.ts";

/** What a folder does not hold: those with an owner or a mode that is kept. */
export interface LayerEntry {
  readonly path: string;
  readonly mode: number;
  readonly uid?: number;
  /** Null for a folder. */
  readonly text: string | null;
}

export interface LayerContents {
  readonly folder: string;
  /** Where in the image; empty for its root. */
  readonly prefix: string;
  /** Paths from the image's root; they replace those of the folder. */
  readonly entries: readonly LayerEntry[];
  readonly mtime: Date;
}

export interface Blob {
  readonly file: string;
  /** `sha256:…`, as are all digests here. */
  readonly digest: string;
  readonly size: number;
}

export interface Layer extends Blob {
  /** Of what is compressed. */
  readonly diffId: string;
}

const LEVEL = 9;

export async function writeLayer({ folder, prefix, entries, mtime }: LayerContents, to: string): Promise<Layer> {
  const tar = pack();
  const sum = createHash("sha256");
  const summed = new PassThrough();
  summed.on("data", (chunk: Buffer) => sum.update(chunk));
  const written = pipeline(tar, summed, createGzip({ level: LEVEL }), createWriteStream(to));
  // Engines refuse a path that is there twice.
  const except = new Set(entries.map(({ path }) => path));
  await addFolder(tar, { folder, prefix, mtime, except });
  for (const { path, mode, uid = 0, text } of entries) {
    const header = { name: path, mode, uid, gid: uid, mtime };
    if (text === null) tar.entry({ ...header, type: "directory" });
    else tar.entry(header, text);
  }
  tar.finalize();
  await written;
  return { ...(await blobOf(to)), diffId: `sha256:${sum.digest("hex")}` };
}

export async function blobOf(file: string): Promise<Blob> {
  const sum = createHash("sha256");
  await pipeline(createReadStream(file), sum);
  return { file, digest: `sha256:${sum.digest("hex")}`, size: (await stat(file)).size };
}
