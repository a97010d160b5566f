/**
 * Brings one file of a volume to this machine, named by its digest: what came before a break is stored and resumed,
 * over restarts of the agent too, and the file counts only once its digest is right.
 */
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { VolumeFile } from "./manifest.ts";

/** Yields the file from the offset on, or throws; FileUnavailableError when another request is no use. */
export type OpenFile = (sha256: string, offset: number, signal: AbortSignal) => AsyncIterable<Buffer>;

/** It cannot be had, however often it is requested. */
export class FileUnavailableError extends Error {
  override readonly name = "FileUnavailableError";
}

export interface FileToFetch {
  readonly file: Pick<VolumeFile, "sha256" | "bytes">;
  /** Where it grows. */
  readonly partial: string;
  /** Where it is once it is complete. */
  readonly path: string;
  readonly open: OpenFile;
  /** Called for each piece; negative when what had come was no good. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** In a row without a byte in between. */
const FAILURES_MAX = 5;
const RETRY_MS = 200;
/** A file that comes with another digest is fetched again as often. */
const WRONG_MAX = 2;

export async function fetchFile(work: FileToFetch): Promise<void> {
  for (let wrong = 1; ; wrong += 1) {
    const hash = await fetchComplete(work);
    if (hash.digest("hex") === work.file.sha256) break;
    await rm(work.partial, { force: true });
    work.onBytes(-work.file.bytes);
    if (wrong >= WRONG_MAX) throw new Error(`the file ${work.file.sha256} came with another digest`);
  }
  // Read by the container's user, and written by nobody.
  await chmod(work.partial, 0o444);
  await rename(work.partial, work.path);
}

async function fetchComplete({ file, partial, open: openFile, onBytes, signal }: FileToFetch): Promise<Hash> {
  const hash = createHash("sha256");
  const handle = await open(partial, "a", 0o600);
  try {
    let offset = await hashPresent(partial, hash, file.bytes, handle);
    onBytes(offset);
    for (let failures = 0; offset < file.bytes; ) {
      signal.throwIfAborted();
      try {
        for await (const data of openFile(file.sha256, offset, signal)) {
          if (offset + data.length > file.bytes)
            throw new FileUnavailableError(`more than its ${file.bytes} bytes came`);
          await handle.appendFile(data);
          hash.update(data);
          offset += data.length;
          failures = 0;
          onBytes(data.length);
        }
        if (offset < file.bytes) throw new Error(`it ended after ${offset} of ${file.bytes} bytes`);
      } catch (error) {
        signal.throwIfAborted();
        failures += 1;
        if (error instanceof FileUnavailableError || isOwnFault(error) || failures >= FAILURES_MAX) throw error;
        await delay(RETRY_MS * failures, undefined, { signal });
      }
    }
    await handle.datasync();
    return hash;
  } finally {
    await handle.close();
  }
}

/** Adds what is there already to the hash and returns how much it is; more than the file has is dropped. */
async function hashPresent(partial: string, hash: Hash, bytesMax: number, handle: FileHandle): Promise<number> {
  const { size } = await stat(partial);
  if (size > bytesMax) {
    await handle.truncate(0);
    return 0;
  }
  for await (const chunk of createReadStream(partial)) hash.update(chunk as Buffer);
  return size;
}

/** Of this machine's disk: another try would meet it again. */
function isOwnFault(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EROFS" || code === "EIO";
}
