/**
 * Logs as files, `logs/<team>/<task>/<attempt>` in the directory of the blobs. None is held open: an append is an
 * open, a write at its place and a close, so any number of logs can grow at once, and two coordinators that are sent
 * the same bytes write the same file. Nothing is synced. A file that may no longer be written is a complete log.
 */
import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, open, opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { attemptsOf, logPath, taskPath } from "./log-path.ts";
import type { LogRef, LogState, TaskLogs, TaskRef } from "./task-logs.ts";

const GROWING = 0o600;
const COMPLETE = 0o400;
const OWNER_WRITES = 0o200;

/** `dir` is that of the blobs. */
export function openFileTaskLogs(dir: string): TaskLogs {
  return new FileTaskLogs(join(dir, "logs"));
}

class FileTaskLogs implements TaskLogs {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async append(ref: LogRef, offset: number, data: Uint8Array): Promise<LogState> {
    const file = await this.#openToWrite(ref);
    // It is complete: whoever is not root cannot even open it.
    if (file === null) return (await this.state(ref)) ?? { bytes: 0, complete: false };
    try {
      const state = stateOf(await file.stat());
      if (state.complete || offset > state.bytes) return state;
      const fresh = data.subarray(state.bytes - offset);
      await writeAt(file, fresh, state.bytes);
      return { bytes: state.bytes + fresh.byteLength, complete: false };
    } finally {
      await file.close();
    }
  }

  async complete(ref: LogRef): Promise<void> {
    await chmod(this.#path(ref), COMPLETE).catch(nullIfMissing);
  }

  async state(ref: LogRef): Promise<LogState | null> {
    const found = await stat(this.#path(ref)).catch(nullIfMissing);
    return found === null ? null : stateOf(found);
  }

  async read(ref: LogRef, from: number, bytesMax: number): Promise<Buffer> {
    const file = await open(this.#path(ref), "r").catch(nullIfMissing);
    if (file === null) return Buffer.alloc(0);
    try {
      const bytes = Math.min(bytesMax, Math.max(0, (await file.stat()).size - from));
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async attempts(task: TaskRef): Promise<readonly number[]> {
    return attemptsOf((await readdir(this.#folder(task)).catch(nullIfMissing)) ?? []);
  }

  async remove(task: TaskRef): Promise<void> {
    await rm(this.#folder(task), { recursive: true, force: true });
  }

  async totalBytes(): Promise<number> {
    const all = await opendir(this.#dir, { recursive: true }).catch(nullIfMissing);
    let bytes = 0;
    for await (const entry of all ?? []) {
      // One that was removed since it was listed takes nothing.
      if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(nullIfMissing))?.size ?? 0;
    }
    return bytes;
  }

  /** Null when it may not be written. */
  async #openToWrite(ref: LogRef): Promise<FileHandle | null> {
    const flags = constants.O_WRONLY | constants.O_CREAT;
    const path = this.#path(ref);
    try {
      return await open(path, flags, GROWING).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        await mkdir(this.#folder(ref), { recursive: true });
        return await open(path, flags, GROWING);
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EACCES" && (await this.state(ref))?.complete) return null;
      throw error;
    }
  }

  #folder(task: TaskRef): string {
    return join(this.#dir, taskPath(task));
  }

  #path(ref: LogRef): string {
    return join(this.#dir, logPath(ref));
  }
}

function stateOf({ size, mode }: { readonly size: number; readonly mode: number }): LogState {
  return { bytes: size, complete: (mode & OWNER_WRITES) === 0 };
}

async function writeAt(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  for (let from = 0; from < data.byteLength; ) {
    from += (await file.write(data, from, data.byteLength - from, position + from)).bytesWritten;
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
