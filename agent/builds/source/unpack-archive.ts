/** Unpacks a source archive into an empty folder that nobody else writes to. */
import { createReadStream } from "node:fs";
import { mkdir, open, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { BuildFailure, isOutOfSpace } from "../../domain/build-failure.ts";
import { type ArchiveLimits, ArchivePaths, invalid, SOURCE_LIMITS } from "./archive-paths.ts";
import { boundArchive } from "./bound-archive.ts";

export interface Unpacked {
  /** Paths of its files, as the archive names them and without what is stripped. */
  readonly files: readonly string[];
}

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const SYMLINK_CHARACTERS_MAX = 1_024;

/** Throws BuildFailure for what is no archive of a source, or exceeds the limits. */
export async function unpackArchive(
  archive: string,
  folder: string,
  options: { readonly stripComponents: number; readonly signal: AbortSignal; readonly limits?: ArchiveLimits },
): Promise<Unpacked> {
  const { stripComponents, signal, limits = SOURCE_LIMITS } = options;
  const paths = new ArchivePaths(limits, stripComponents);
  const files: string[] = [];
  const entries = extract();
  const feeding = pipeline(
    createReadStream(archive),
    (await isGzip(archive)) ? createGunzip() : new PassThrough(),
    boundArchive(limits),
    entries,
    { signal },
  );
  // Which of a failure's two errors the reading side sees is chance; this one says why.
  const broken = feeding.then(
    () => null,
    (error: NodeJS.ErrnoException) => (error.code === "ERR_STREAM_PREMATURE_CLOSE" ? null : error),
  );
  try {
    for await (const entry of entries) {
      const { name, type, size = 0 } = entry.header;
      const planned = paths.plan({ name, type, bytes: size });
      if (planned === null) {
        entry.resume();
        continue;
      }
      const path = join(folder, planned.path);
      if (planned.kind === "directory") await mkdir(path, { recursive: true, mode: 0o755 });
      else await mkdir(dirname(path), { recursive: true, mode: 0o755 });
      if (planned.kind === "file") {
        await writeFile(path, entry as AsyncIterable<Buffer>, entry.header);
        files.push(planned.path);
      } else {
        if (planned.kind === "symlink") await symlink(linkTarget(entry.header), path);
        entry.resume();
      }
    }
    await feeding;
  } catch (error) {
    signal.throwIfAborted();
    throw unpackFailure(error instanceof BuildFailure ? error : ((await broken) ?? error));
  }
  if (files.length === 0) throw invalid("it has no file");
  return { files };
}

/** A builder in its sandbox reads what root has written here. */
async function writeFile(path: string, from: AsyncIterable<Buffer>, { mode = 0 }: Header): Promise<void> {
  const file = await open(path, "wx", (mode & 0o100) === 0 ? 0o644 : 0o755);
  try {
    for await (const chunk of from) await file.appendFile(chunk);
  } finally {
    await file.close();
  }
}

function linkTarget({ name, linkname }: Header): string {
  if (linkname == null || linkname === "" || linkname.length > SYMLINK_CHARACTERS_MAX) {
    throw invalid(`the symbolic link ${JSON.stringify(name.slice(0, 200))} leads nowhere`);
  }
  return linkname;
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP_MAGIC.length), 0, GZIP_MAGIC.length, 0);
    return bytesRead === GZIP_MAGIC.length && buffer.equals(GZIP_MAGIC);
  } finally {
    await file.close();
  }
}

function unpackFailure(error: unknown): BuildFailure {
  if (error instanceof BuildFailure) return error;
  if (isOutOfSpace(error)) {
    return new BuildFailure("disk_full", "the source does not fit on the disk of the team's builds", { cause: error });
  }
  return invalid(error instanceof Error ? error.message : String(error), error);
}
