/** Sends an input ahead of its task. */
import { call } from "../http/call.ts";
import type { Connection } from "../http/connection.ts";
import type { Request } from "../http/send.ts";
import type { Upload } from "../records/records.ts";

/** The service takes no longer. */
const UPLOAD_TIMEOUT_MS = 2 * 3_600_000;

export interface UploadOptions {
  /** The size of a stream, where it is known. */
  readonly bytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One that no task names is removed after an hour, so bytes and blobs are sent again after an error. */
export async function uploadInput(
  connection: Connection,
  body: Uint8Array | Blob | ReadableStream<Uint8Array>,
  { bytes, signal }: UploadOptions = {},
): Promise<Upload> {
  const headers: Record<string, string> = bytes === undefined ? {} : { "content-length": String(bytes) };
  const request = { method: "POST", path: "/v1/uploads", headers, body: body as Request["body"] & {} } as const;
  return (await call(connection, { ...request, timeoutMs: UPLOAD_TIMEOUT_MS, isRepeatable: true, signal })) as Upload;
}
