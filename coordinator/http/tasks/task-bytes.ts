/** The bytes of a task's input or result, wherever they are stored. */
import type { Readable } from "node:stream";
import type { BlobStore } from "../../blobs/blob-store.ts";
import type { BytesRef, Task } from "../../domain/task.ts";
import type { RecordDeps } from "../record-deps.ts";

export interface TaskBytesDeps extends Pick<RecordDeps, "store"> {
  readonly blobs: BlobStore;
}

/** Of bytes that are stored next to the record. */
export async function smallBytes({ store }: TaskBytesDeps, of: "input" | "result", task: Task): Promise<Buffer> {
  const bytes = await store.bytes(of, task.id);
  if (bytes === null) throw new Error(`the ${of} of task ${task.id} is not in the store`);
  return bytes;
}

/** Of bytes that are stored as blobs. Rejects now if they are gone, and opens them only when they are read. */
export async function largeBytes(
  { blobs }: TaskBytesDeps,
  task: Task,
  { sha256 }: Pick<BytesRef, "sha256">,
): Promise<AsyncIterable<Buffer>> {
  if (!(await blobs.has(task.teamId, sha256))) throw missing(task, sha256);
  return (async function* () {
    yield* await openLarge({ blobs }, task, sha256);
  })();
}

export async function openLarge(
  { blobs }: Pick<TaskBytesDeps, "blobs">,
  task: Task,
  sha256: string,
): Promise<Readable> {
  const opened = await blobs.open(task.teamId, sha256);
  if (opened === null) throw missing(task, sha256);
  return opened.stream;
}

function missing(task: Task, sha256: string): Error {
  return new Error(`blob ${sha256} of task ${task.id} is not there`);
}
