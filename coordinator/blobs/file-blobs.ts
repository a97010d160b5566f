/**
 * Blobs in a directory: `data/<team>/<sha256>`, made in `tmp/`, synced and then renamed into place, so a blob is
 * there completely or not at all. Several coordinators may share the directory; the file `store-id` says to which store
 * it belongs.
 */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, lstat, mkdir, open, opendir, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { nameBlobFile, openBlobFile } from "./blob-file.ts";
import { SHA256_PATTERN, TEAM_PATTERN } from "./blob-names.ts";
import {
  assertDigest,
  type BlobAddress,
  type BlobStore,
  BlobsFullError,
  BlobsUnavailableError,
  BlobTooLargeError,
  type FindNamed,
  type OpenFrom,
  type PutLimits,
  type Swept,
} from "./blob-store.ts";
import { DirectorySync } from "./directory-sync.ts";
import { type DiskReserve, sparing } from "./disk-reserve.ts";
import { assertOwned, claimDirectory } from "./store-id.ts";
import { StrayEntries } from "./stray-entries.ts";
import { sweepFiles } from "./sweep-files.ts";

const READ_CHUNK_BYTES = 256 * 1024;
/** Entries that are read at once: each batch is a wait, and there are many. */
const BATCHES = { bufferSize: 1024 };

export interface FileBlobsOptions {
  readonly dir: string;
  readonly storeId: string;
  /** Of the disk, reserved against what spares it; none where it is left out. */
  readonly reserveBytes?: number;
  /** A line for operators about what does not belong into the directory, once for each. */
  readonly foundStray?: (message: string) => void;
}

/** Rejects when the directory belongs to another store. */
export async function openFileBlobs(options: FileBlobsOptions): Promise<BlobStore> {
  await claimDirectory(options.dir, options.storeId);
  await mkdir(join(options.dir, "data"), { recursive: true });
  await mkdir(join(options.dir, "tmp"), { recursive: true });
  return new FileBlobs(options);
}

class FileBlobs implements BlobStore {
  readonly #dir: string;
  readonly #storeId: string;
  readonly #reserve: DiskReserve;
  readonly #stray: StrayEntries;
  readonly #teams = new Map<string, Promise<DirectorySync>>();

  constructor({ dir, storeId, reserveBytes = 0, foundStray = () => undefined }: FileBlobsOptions) {
    this.#dir = dir;
    this.#storeId = storeId;
    this.#reserve = { dir, bytes: reserveBytes };
    this.#stray = new StrayEntries(foundStray);
  }

  async put(teamId: string, source: AsyncIterable<Uint8Array>, limits: PutLimits) {
    const temporary = join(this.#dir, "tmp", randomBytes(12).toString("hex"));
    try {
      const team = await this.#team(teamId);
      const coming = limits.sparesReserve === true ? sparing(source, this.#reserve) : source;
      const written = await writeSynced(temporary, coming, limits.bytesMax);
      assertDigest(written, limits);
      // Also over a blob that is there already: its age starts over, so that no concurrent sweep removes it.
      const path = this.#path(teamId, written.sha256);
      const aside = join(this.#dir, "tmp", `stray-${written.sha256}-${randomBytes(6).toString("hex")}`);
      await nameBlobFile(temporary, path, aside, () => this.#stray.moved(path, aside));
      await team.sync();
      return written;
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      const known = explained(this.#dir, error);
      // The team's directory may be gone: the next put makes it again.
      if (known instanceof BlobsUnavailableError) this.#teams.delete(teamId);
      throw known;
    }
  }

  async open(teamId: string, sha256: string, from?: Pick<OpenFrom, "offset">) {
    return await this.#ifThere(this.#read(this.#path(teamId, sha256), from?.offset ?? 0));
  }

  async has(teamId: string, sha256: string): Promise<boolean> {
    return (await this.#ifThere(lstat(this.#path(teamId, sha256))))?.isFile() ?? false;
  }

  async renew(teamId: string, sha256: string) {
    const path = this.#path(teamId, sha256);
    const found = await this.#ifThere(lstat(path));
    // Whoever has the bytes sends them, which puts them in its place.
    if (found === null || !found.isFile()) return null;
    const now = new Date();
    const renewed = await this.#ifThere(utimes(path, now, now).then(() => lstat(path)));
    return renewed && { bytes: renewed.size };
  }

  async *list(): AsyncGenerator<BlobAddress> {
    const data = join(this.#dir, "data");
    for await (const team of await opendir(data)) {
      if (await this.#stray.isStrayFolder(data, team)) continue;
      const folder = join(data, team.name);
      for await (const blob of await opendir(folder, BATCHES)) {
        if (this.#stray.isStrayFile(folder, blob) || !SHA256_PATTERN.test(blob.name)) continue;
        yield { teamId: team.name, sha256: blob.name };
      }
    }
  }

  async probe(): Promise<void> {
    const file = join(this.#dir, "tmp", `probe-${randomBytes(12).toString("hex")}`);
    try {
      await assertOwned(this.#dir, this.#storeId);
      await writeFile(file, "", { flag: "wx" });
      await unlink(file);
    } catch (error) {
      throw explained(this.#dir, error);
    }
  }

  sweep(findNamed: FindNamed, olderThanMs: number): Promise<Swept> {
    return sweepFiles({ dir: this.#dir, stray: this.#stray }, findNamed, olderThanMs);
  }

  async #read(path: string, offset: number): Promise<{ readonly bytes: number; readonly stream: Readable }> {
    const opened = await openBlobFile(path);
    if (opened === null) {
      await this.#stray.foundAt(path);
      // Damaged, like a file that lost its bytes: whoever compares finds that.
      return { bytes: 0, stream: Readable.from([], { objectMode: false }) };
    }
    const { file, bytes } = opened;
    const start = Math.min(offset, bytes);
    return { bytes, stream: createReadStream("", { fd: file, start, highWaterMark: READ_CHUNK_BYTES }) };
  }

  /**
   * What was found, or null where the blob is missing. Rejects where the directory of all blobs is: then nothing is known of
   * any one of them.
   */
  async #ifThere<Found>(finding: Promise<Found>): Promise<Found | null> {
    try {
      return (await finding.catch(nullIfMissing)) ?? (await this.#missing());
    } catch (error) {
      throw explained(this.#dir, error, "read");
    }
  }

  async #missing(): Promise<null> {
    await assertOwned(this.#dir, this.#storeId);
    return null;
  }

  /** Ids come from records, but a path is never built from what does not look like one. */
  #path(teamId: string, sha256: string): string {
    if (!TEAM_PATTERN.test(teamId) || !SHA256_PATTERN.test(sha256)) throw new Error("not the address of a blob");
    return join(this.#dir, "data", teamId, sha256);
  }

  /** The team's directory, made durable before the first blob is renamed into it. */
  #team(teamId: string): Promise<DirectorySync> {
    if (!TEAM_PATTERN.test(teamId)) return Promise.reject(new Error("not the id of a team"));
    const known = this.#teams.get(teamId);
    if (known !== undefined) return known;
    const made = this.#makeTeam(teamId);
    this.#teams.set(teamId, made);
    made.catch(() => this.#teams.delete(teamId));
    return made;
  }

  async #makeTeam(teamId: string): Promise<DirectorySync> {
    const data = join(this.#dir, "data");
    // Not with what is above: without the blobs of all others it would be taken for the directory that they were in.
    await mkdir(join(data, teamId)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    await new DirectorySync(data).sync();
    return new DirectorySync(join(data, teamId));
  }
}

async function writeSynced(path: string, source: AsyncIterable<Uint8Array>, bytesMax: number) {
  const file = await open(path, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new BlobTooLargeError(bytesMax);
      hash.update(chunk);
      await writeAll(file, chunk);
    }
    await file.datasync();
    return { sha256: hash.digest("hex"), bytes };
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let from = 0;
  while (from < chunk.byteLength) from += (await file.write(chunk, from)).bytesWritten;
}

const NO_ROOM = ["ENOSPC", "EDQUOT"];
const NOT_WRITABLE = ["EROFS", "EACCES", "EPERM", "EIO", "ESTALE", "ENOENT", "ENOTDIR", "ELOOP"];

/** What the directory itself is at fault for, in words; any other error as it is. */
function explained(dir: string, error: unknown, done: "read" | "written" = "written"): unknown {
  const { code = "", message, syscall } = error as NodeJS.ErrnoException;
  if (NO_ROOM.includes(code)) return new BlobsFullError(`${dir} is full`, { cause: error });
  const isOfDirectory = syscall !== undefined && NOT_WRITABLE.includes(code);
  return isOfDirectory ? new BlobsUnavailableError(`${dir} cannot be ${done}: ${message}`, { cause: error }) : error;
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
