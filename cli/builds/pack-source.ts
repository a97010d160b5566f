/**
 * The source of a build as one archive, in a temporary file: the same files always give the same bytes, so that what
 * was sent before need not be sent again. It is cut into parts, each known by its digest.
 */
import { createHash, type Hash } from "node:crypto";
import { lstatSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import tar from "tar-fs";
import { usageError } from "../errors/cli-error.ts";
import { sizeText } from "../output/size-text.ts";
import { ignoreRules } from "./ignore-rules.ts";

export interface SourcePart {
  readonly sha256: string;
  readonly offset: number;
  readonly bytes: number;
}

export interface PackedSource extends AsyncDisposable {
  readonly file: string;
  readonly parts: readonly SourcePart[];
  /** Compressed. */
  readonly bytes: number;
  readonly files: number;
}

const PART_BYTES = 8 * 1024 * 1024;
/** What the service takes. */
const SOURCE_BYTES_MAX = 512 * 1024 * 1024;
const EPOCH = new Date(0);

/** The archive has at most 512 MiB, else this throws a CliError. Disposing the source removes it. */
export async function packSource(folder: string, signal: AbortSignal): Promise<PackedSource> {
  const temporary = await mkdtemp(join(tmpdir(), "elastic-source-"));
  const remove = () => rm(temporary, { recursive: true, force: true });
  try {
    const file = join(temporary, "source.tar.gz");
    const packed = await writeArchive(folder, file, signal);
    return { file, ...packed, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writeArchive(folder: string, file: string, signal: AbortSignal) {
  const isIgnored = ignoreRules(folder);
  let files = 0;
  const options: tar.PackOptions & { readonly sort: boolean } = {
    // Read in one order, and without what differs between machines.
    sort: true,
    ignore(path) {
      const name = relative(folder, path).split(sep).join("/");
      if (name === "") return false;
      const stats = lstatSync(path);
      const isTaken = stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
      return !isTaken || isIgnored(name, stats.isDirectory());
    },
    map(header) {
      if (header.type === "file") files += 1;
      const mode = header.type !== "file" || ((header.mode ?? 0) & 0o100) !== 0 ? 0o755 : 0o644;
      return { ...header, uid: 0, gid: 0, uname: "", gname: "", mtime: EPOCH, mode };
    },
  };
  const archive = tar.pack(folder, options);
  const parts: SourcePart[] = [];
  const output = await open(file, "wx", 0o600);
  let bytes = 0;
  try {
    await pipeline(
      archive,
      createGzip(),
      async (compressed: AsyncIterable<Buffer>) => {
        let hash: Hash = createHash("sha256");
        let begun = 0;
        const endPart = () => {
          if (bytes > begun) parts.push({ sha256: hash.digest("hex"), offset: begun, bytes: bytes - begun });
          hash = createHash("sha256");
          begun = bytes;
        };
        for await (const chunk of compressed) {
          for (let at = 0; at < chunk.length; ) {
            const piece = chunk.subarray(at, at + PART_BYTES - (bytes - begun));
            hash.update(piece);
            bytes += piece.length;
            at += piece.length;
            if (bytes - begun === PART_BYTES) endPart();
          }
          await output.appendFile(chunk);
          if (bytes > SOURCE_BYTES_MAX) throw tooLarge(folder);
        }
        endPart();
      },
      { signal },
    );
  } finally {
    await output.close();
  }
  return { parts, bytes, files };
}

function tooLarge(folder: string): Error {
  return usageError(
    `${folder} has more than ${sizeText(SOURCE_BYTES_MAX)}, compressed.`,
    "Name what is no source in .dockerignore or .gitignore, such as build output and proving keys (`elastic data upload`).",
  );
}
