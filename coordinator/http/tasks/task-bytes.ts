/** The bytes of a task's input or result, wherever they are stored. */
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { BlobCorruptError } from "../../blobs/blob-store.ts";
import { VERIFIED_FIRST_BYTES_MAX } from "../../blobs/verified-blobs.ts";
import type { BytesRef, Task } from "../../domain/task.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";

export interface TaskBytesDeps extends Pick<RecordDeps, "store">, BlobDeps {}

/** Of bytes that are stored next to the record. */
export async function smallBytes({ store }: TaskBytesDeps, of: "input" | "result", task: Task): Promise<Buffer> {
  const bytes = await store.bytes(of, task.id);
  if (bytes === null) throw new Error(`the ${of} of task ${task.id} is not in the store`);
  return bytes;
}

/**
 * Of bytes stored in blobs, for a record that shows them; null where they are damaged or missing. Many are read once before,
 * and are opened only when they are requested: a record that broke off in the middle of them would not show how the task ended.
 */
export async function shownBytes(
  source: BlobDeps,
  task: Task,
  ref: Pick<BytesRef, "sha256" | "bytes">,
): Promise<AsyncIterable<Buffer> | null> {
  try {
    const stream = await openLarge(source, task, ref);
    if (ref.bytes <= VERIFIED_FIRST_BYTES_MAX) return stream;
    await finished(stream.resume());
  } catch (error) {
    if (error instanceof BlobCorruptError) return null;
    throw error;
  }
  return (async function* () {
    yield* await openLarge(source, task, ref);
  })();
}

/**
 * Rejects with BlobCorruptError where they are missing, or few and damaged; damage of many breaks their stream before its end.
 */
export async function openLarge(
  { blobs }: BlobDeps,
  task: Task,
  { sha256, bytes }: Pick<BytesRef, "sha256" | "bytes">,
): Promise<Readable> {
  const opened = await blobs.open(task.teamId, sha256, { bytes });
  if (opened === null) throw new BlobCorruptError(task.teamId, sha256, null);
  return opened.stream;
}
