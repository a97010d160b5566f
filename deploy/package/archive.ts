/** A folder as a `.tar.zst` whose bytes depend on its files alone: sorted, of root, all of one time. */
import { createReadStream } from "node:fs";
import { lstat, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import { type Pack, pack } from "tar-stream";
import { pathsBelow } from "./paths-below.ts";

export interface ArchiveOptions {
  readonly folder: string;
  /** The folder that all entries are in. */
  readonly prefix: string;
  readonly mtime: Date;
  /** Of zstd, 1 to 19. */
  readonly level: number;
  readonly to: string;
}

export async function writeArchive({ folder, prefix, mtime, level, to }: ArchiveOptions): Promise<void> {
  const tar = pack();
  // In one piece: what zstd makes of a stream depends on where its pieces end, which the disk's speed decides.
  const whole = buffer(tar);
  await addFolder(tar, { folder, prefix, mtime });
  tar.finalize();
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  await writeFile(to, await promisify(zstdCompress)(await whole, { params }));
}

interface FolderOptions extends Pick<ArchiveOptions, "folder" | "prefix" | "mtime"> {
  /** Paths in the folder that are left out. */
  readonly except?: ReadonlySet<string>;
}

/** All that is in the folder, sorted, of root; in the root of the file where the prefix is empty. */
export async function addFolder(tar: Pack, { folder, prefix, mtime, except }: FolderOptions): Promise<void> {
  for (const path of await pathsBelow(folder)) {
    if (except?.has(path) === true) continue;
    const from = join(folder, path);
    const status = await lstat(from);
    const header = {
      name: prefix === "" ? path : `${prefix}/${path}`,
      mtime,
      mode: status.mode & 0o111 ? 0o755 : 0o644,
    };
    if (status.isDirectory()) tar.entry({ ...header, type: "directory" });
    else if (status.isSymbolicLink()) tar.entry({ ...header, type: "symlink", linkname: await readlink(from) });
    else await pipeline(createReadStream(from), tar.entry({ ...header, size: status.size }));
  }
}
