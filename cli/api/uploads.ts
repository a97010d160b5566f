import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type { UploadRecord } from "./records.ts";

/** The service takes no longer. */
const UPLOAD_TIMEOUT_MS = 2 * 3_600_000;

/** Sends an input ahead, as it is read. `bytes` is its size where that is known. */
export async function upload(
  caller: Caller,
  source: AsyncIterable<Uint8Array>,
  bytes: number | null,
): Promise<UploadRecord> {
  const headers = bytes === null ? {} : { "content-length": String(bytes) };
  const body = ReadableStream.from(source) as ReadableStream<Uint8Array>;
  const request = { method: "POST", path: "/v1/uploads", body, headers, timeoutMs: UPLOAD_TIMEOUT_MS } as const;
  return (await call(caller, request)) as UploadRecord;
}
