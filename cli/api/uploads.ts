import { uploadInput } from "elastic-client/tasks/upload-input.ts";
import type { Caller } from "./caller.ts";
import { explained } from "./client.ts";
import type { UploadRecord } from "./records.ts";

/** Sends an input ahead, as it is read. `bytes` is its size where that is known. */
export async function upload(
  caller: Caller,
  source: AsyncIterable<Uint8Array>,
  bytes: number | null,
): Promise<UploadRecord> {
  const body = ReadableStream.from(source) as ReadableStream<Uint8Array>;
  const { signal } = caller;
  return await explained(caller, (connection) => uploadInput(connection, body, { bytes: bytes ?? undefined, signal }));
}
