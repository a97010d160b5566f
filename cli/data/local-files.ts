/** The files of a volume on this machine: found, named by their paths within it, and read for their digests. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

export interface LocalFile {
  /** Within the volume, with slashes. */
  readonly path: string;
  readonly source: string;
  readonly bytes: number;
}

export interface DigestedFile extends LocalFile {
  readonly sha256: string;
}

/** What the service takes. */
const FILES_MAX = 1_000;
const VOLUME_BYTES_MAX = 64 * 1024 * 1024 * 1024;

/** A single file, or all below a folder. */
export async function findFiles(path: string): Promise<readonly LocalFile[]> {
  const found = await stat(path).catch((cause: unknown) => {
    const isAbsent = cause instanceof Error && "code" in cause && ["ENOENT", "ENOTDIR"].includes(String(cause.code));
    throw new CliError(isAbsent ? `There is no ${path}.` : `${path} cannot be read.`, {
      exitCode: EXIT.usage,
      code: "no_such_file",
      next: "Name a folder or a file that is there; a relative path counts from the current folder.",
      cause,
    });
  });
  const files = found.isDirectory()
    ? await filesBelow(path)
    : [{ path: basename(path), source: path, bytes: found.size }];
  if (files.length === 0) throw usageError(`${path} holds no file.`);
  if (files.length > FILES_MAX) throw usageError(`${path} holds more than the ${FILES_MAX} files of a volume.`);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > VOLUME_BYTES_MAX) throw usageError(`${path} holds ${bytes} bytes; a volume has at most 64 GiB.`);
  return files;
}

/** A name that the service takes, made of that of the folder or file. */
export function defaultName(path: string): string {
  const name = basename(resolve(path))
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 63);
  return name === "" ? "data" : name;
}

/** Reads the file; rejects where that fails or `signal` aborts. */
export async function digestOf(file: LocalFile, signal: AbortSignal): Promise<DigestedFile> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file.source, { signal })) hash.update(chunk as Buffer);
  return { ...file, sha256: hash.digest("hex") };
}

/**
 * Links to files within the folder count as the files. Others are refused: who names a folder means what is in it,
 * and a link in what came from somewhere else could send a private key along. One to a folder goes round in circles.
 */
async function filesBelow(root: string): Promise<readonly LocalFile[]> {
  const files: LocalFile[] = [];
  const inside = (await realpath(root)).replace(/\/?$/, sep);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const source = join(entry.parentPath, entry.name);
    const found = await stat(source).catch(() => null);
    if (found === null || found.isDirectory()) {
      throw usageError(`${source} is a link to a folder or to nothing.`, "Put the files themselves into the folder.");
    }
    if (entry.isSymbolicLink() && !(await realpath(source)).startsWith(inside)) {
      throw usageError(`${source} is a link to a file outside of ${root}.`, "Put the file itself into the folder.");
    }
    if (!found.isFile()) throw usageError(`${source} is not a file.`, "Take it out of the folder.");
    files.push({ path: relative(root, source).split(sep).join("/"), source, bytes: found.size });
    if (files.length > FILES_MAX) break;
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
