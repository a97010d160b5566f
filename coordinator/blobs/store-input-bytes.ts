/** Keeps the bytes of a task's input: few of them for the commit of its record, many as a blob before it. */
import { hash } from "node:crypto";
import { INPUT_BYTES_MAX, SMALL_BYTES_MAX } from "../domain/limits.ts";
import type { BytesRef } from "../domain/task.ts";
import type { BlobStore } from "./blob-store.ts";

const SLICE_BYTES = 256 * 1024;

export interface StoredBytes {
  readonly ref: BytesRef;
  /** To be committed with the record; null for a blob. */
  readonly data: Buffer | null;
}

export async function storeInputBytes(
  blobs: Pick<BlobStore, "put">,
  teamId: string,
  input: Buffer,
): Promise<StoredBytes> {
  if (input.length <= SMALL_BYTES_MAX) {
    const ref = { bytes: input.length, sha256: hash("sha256", input, "hex"), where: "store" } as const;
    return { ref, data: input };
  }
  const blob = await blobs.put(teamId, inSlices(input), { bytesMax: INPUT_BYTES_MAX });
  return { ref: { ...blob, where: "blob" }, data: null };
}

/** So that writing many bytes never holds up what else is served. */
export async function* inSlices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
