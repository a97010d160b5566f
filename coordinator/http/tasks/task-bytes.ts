/** The bytes of a task's input or result, wherever they are stored. */
import type { Readable } from "node:stream";
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
 * Of bytes stored in blobs. Rejects now if they are gone, or are few and damaged (BlobCorruptError); many are opened only
 * when they are requested, and damage breaks their stream before its end.
 */
export async function largeBytes(
  source: BlobDeps,
  task: Task,
  ref: Pick<BytesRef, "sha256" | "bytes">,
): Promise<AsyncIterable<Buffer>> {
  if (ref.bytes <= VERIFIED_FIRST_BYTES_MAX) return await openLarge(source, task, ref);
  if (!(await source.blobs.has(task.teamId, ref.sha256))) throw missing(task, ref.sha256);
  return (async function* () {
    yield* await openLarge(source, task, ref);
  })();
}

export async function openLarge(
  { blobs }: BlobDeps,
  task: Task,
  { sha256, bytes }: Pick<BytesRef, "sha256" | "bytes">,
): Promise<Readable> {
  const opened = await blobs.open(task.teamId, sha256, { bytes });
  if (opened === null) throw missing(task, sha256);
  return opened.stream;
}

function missing(task: Task, sha256: string): Error {
  return new Error(`blob ${sha256} of task ${task.id} is not there`);
}
