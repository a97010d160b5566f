/**
 * What of one attempt's log no coordinator has acknowledged: the newest in memory, and what was there before in a file
 * where that had to be. The file's name has the attempt and the offset of its first byte.
 */
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptKey } from "../domain/attempt-key.ts";
import { ByteQueue } from "./byte-queue.ts";
import type { LogBudget } from "./log-budget.ts";

export interface LogFile {
  readonly path: string;
  /** Offset in the log of its first byte. */
  readonly start: number;
  bytes: number;
}

function logFileName(key: AttemptKey, start: number): string {
  return `${key}.${start}.log`;
}

export function parseLogFileName(name: string): { readonly key: AttemptKey; readonly start: number } | null {
  const match = /^([0-9a-f-]+)\.(\d{1,15})\.log$/.exec(name);
  return match === null ? null : { key: match[1] ?? "", start: Number(match[2]) };
}

export class HeldLog {
  readonly #folder: string;
  readonly #key: AttemptKey;
  readonly #budget: LogBudget;
  readonly #memory: ByteQueue;
  #file: LogFile | null;
  #acknowledged: number;
  #spilling: Promise<void> | null = null;
  #discarded = false;

  /** `found` is the file that an earlier process left. */
  constructor(folder: string, key: AttemptKey, budget: LogBudget, found: LogFile | null = null) {
    this.#folder = folder;
    this.#key = key;
    this.#budget = budget;
    this.#file = found;
    this.#acknowledged = found?.start ?? 0;
    this.#memory = new ByteQueue((found?.start ?? 0) + (found?.bytes ?? 0));
    budget.diskBytes += found?.bytes ?? 0;
  }

  /** How long the log is. */
  get end(): number {
    return this.#memory.end;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  get memoryBytes(): number {
    return this.#memory.length;
  }

  append(data: Uint8Array): void {
    if (this.#discarded) return;
    this.#memory.append(data);
    this.#budget.memoryBytes += data.length;
  }

  /** At most `bytesMax` from `offset` on, which is not acknowledged yet; fewer where a piece ends. */
  async read(offset: number, bytesMax: number): Promise<Buffer> {
    const file = this.#file;
    if (file === null || offset >= file.start + file.bytes) return this.#memory.read(offset, bytesMax);
    const handle = await open(file.path, "r");
    try {
      const length = Math.min(bytesMax, file.start + file.bytes - offset);
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset - file.start);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** What is before `offset` is not needed any more. */
  acknowledge(offset: number): void {
    this.#acknowledged = Math.min(Math.max(offset, this.#acknowledged), this.end);
    this.#dropMemory(this.#acknowledged);
    if (this.#file !== null && this.#spilling === null) {
      if (this.#acknowledged >= this.#file.start + this.#file.bytes) this.#dropFile();
    }
  }

  /** Puts what is in memory on disk, where there is room. Rejects when it cannot be written. */
  async spill(): Promise<void> {
    if (this.#spilling !== null) await this.#spilling.catch(() => undefined);
    if (this.#discarded || this.#memory.length === 0) return;
    if (this.#budget.diskBytes + this.#memory.length > this.#budget.diskBytesMax) return;
    this.#spilling = this.#writeMemory();
    try {
      await this.#spilling;
    } finally {
      this.#spilling = null;
      if (this.#discarded) this.#dropFile();
      else this.acknowledge(this.#acknowledged);
    }
  }

  /** Nothing of it is needed any more. */
  discard(): void {
    this.#discarded = true;
    this.#dropMemory(this.end);
    if (this.#spilling === null) this.#dropFile();
  }

  async #writeMemory(): Promise<void> {
    const { start, end } = this.#memory;
    const pieces: Buffer[] = [];
    for (let at = start; at < end; at += pieces.at(-1)?.length ?? 0) pieces.push(this.#memory.read(at, end - at));
    // Memory begins where the file ends: one that was acknowledged beyond its end is gone.
    this.#file ??= { path: join(this.#folder, logFileName(this.#key, start)), start, bytes: 0 };
    const handle = await open(this.#file.path, this.#file.bytes === 0 ? "w" : "r+", 0o600);
    try {
      for (const piece of pieces) await this.#writePiece(this.#file, handle, piece);
    } finally {
      await handle.close();
    }
  }

  async #writePiece(file: LogFile, handle: FileHandle, piece: Buffer): Promise<void> {
    const { bytesWritten } = await handle.write(piece, 0, piece.length, file.bytes);
    file.bytes += bytesWritten;
    this.#budget.diskBytes += bytesWritten;
    this.#dropMemory(file.start + file.bytes);
    if (bytesWritten < piece.length) throw new Error("only a part of a log was written to disk");
  }

  #dropMemory(before: number): void {
    const bytes = this.#memory.length;
    this.#memory.dropBefore(before);
    this.#budget.memoryBytes -= bytes - this.#memory.length;
  }

  #dropFile(): void {
    if (this.#file === null) return;
    this.#budget.diskBytes -= this.#file.bytes;
    void rm(this.#file.path, { force: true });
    this.#file = null;
  }
}
