/** Inputs, results and logs over the bulk channel, so that bytes never delay a heartbeat. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import type { StartAttempt } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type {
  BulkServiceClient,
  FetchInputResponse,
  UploadResultRequest,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type ClientWritableStream, type ServiceError, status } from "@grpc/grpc-js";
import type { ResultUpload, UploadVerdict } from "../attempts/outbox.ts";
import type { TaskInput } from "../domain/driver.ts";
import { InputCorruptError, InputUnavailableError } from "../domain/input-unavailable.ts";
import type { AppendStream } from "../logs/log-sender.ts";
import type { OpenFile } from "../volumes/fetch-file.ts";
import { openBuildSource, openVolumeFiles } from "./assigned-files.ts";
import type { Channels } from "./channel.ts";

export interface Bulk {
  input(start: StartAttempt): TaskInput;
  upload(upload: ResultUpload): Promise<UploadVerdict>;
  /** The files of an assignment's volume. */
  volumeFiles(assignmentId: string): OpenFile;
  /** The source of an assigned build. */
  buildSource(assignmentId: string): OpenFile;
  /** A stream for logs; null while no coordinator responds. */
  appendLogs(): AppendStream | null;
  /** There is a new certificate: what is begun from now on uses it, and what is under way continues. */
  renew(): void;
  close(): void;
}

const CHUNK_BYTES_MAX = 256 * 1024;
const FETCH_TRIES_MAX = 5;
const UPLOAD_TIMEOUT_MS = 30 * 60_000;

/** `address` names the coordinator to connect to, or null while none responds. */
export function openBulk(channels: Channels, address: () => string | null, log: Logger): Bulk {
  let client: { readonly address: string; readonly service: BulkServiceClient } | null = null;

  const service = (): BulkServiceClient | null => {
    const wanted = address();
    if (wanted === null) return null;
    if (client?.address !== wanted) {
      client?.service.close();
      client = { address: wanted, service: channels.bulk(wanted) };
    }
    return client.service;
  };

  return {
    input: (start) => inputOf(start, service),
    upload: async (upload) => {
      const bulk = service();
      if (bulk === null) return "retry";
      const verdict = await send(bulk, upload);
      if (verdict !== "done") log.warn({ taskId: upload.attempt.taskId, verdict }, "a result could not be uploaded");
      return verdict;
    },
    volumeFiles: (assignmentId) => openVolumeFiles(service, assignmentId),
    buildSource: (assignmentId) => openBuildSource(service, assignmentId),
    appendLogs: () => service()?.appendLogs() ?? null,
    renew: () => {
      client?.service.close();
      client = null;
    },
    close: () => client?.service.close(),
  };
}

function inputOf(start: StartAttempt, service: () => BulkServiceClient | null): TaskInput {
  const { inlineInput } = start;
  if (inlineInput !== undefined) {
    return {
      bytes: inlineInput.length,
      inline: inlineInput,
      open: async function* () {
        yield inlineInput;
      },
    };
  }
  const bytes = Number(start.inputBytes);
  return { bytes, inline: null, open: (signal) => fetchInput(start, bytes, service, signal) };
}

/** Resumes where a broken stream ended. Yields exactly the announced bytes or throws. */
async function* fetchInput(
  start: StartAttempt,
  bytes: number,
  service: () => BulkServiceClient | null,
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  let offset = 0;
  for (let failures = 0; offset < bytes; ) {
    signal.throwIfAborted();
    const stream = service()?.fetchInput({ attempt: start.attempt, offset: BigInt(offset) });
    const cancel = (): void => stream?.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      if (stream === undefined) throw new Error("no coordinator responds");
      for await (const { data } of stream as AsyncIterable<FetchInputResponse>) {
        offset += data.length;
        yield data;
      }
      if (offset < bytes) throw new Error(`it ended after ${offset} of ${bytes} bytes`);
    } catch (error) {
      signal.throwIfAborted();
      failures += 1;
      const message = error instanceof Error ? error.message : String(error);
      const { code } = error as Partial<ServiceError>;
      if (code === status.DATA_LOSS) throw new InputCorruptError(`the stored input was damaged: ${message}`);
      const gone = code === status.NOT_FOUND;
      if (gone || failures >= FETCH_TRIES_MAX)
        throw new InputUnavailableError(`the input could not be fetched: ${message}`);
      await new Promise((resolve) => setTimeout(resolve, 200 * failures));
    } finally {
      signal.removeEventListener("abort", cancel);
      stream?.cancel();
    }
  }
  if (offset !== bytes) throw new InputUnavailableError(`the input has ${offset} bytes instead of ${bytes}`);
}

function send(bulk: BulkServiceClient, { attempt, path, sha256, sizeBytes }: ResultUpload): Promise<UploadVerdict> {
  const over = new AbortController();
  return new Promise((resolve) => {
    const call = bulk.uploadResult({ deadline: Date.now() + UPLOAD_TIMEOUT_MS }, (error: ServiceError | null) => {
      over.abort();
      resolve(error === null ? "done" : verdictOf(error));
    });
    const header: UploadResultRequest = { message: { $case: "header", value: { attempt, sizeBytes, sha256 } } };
    write(call, requests(header, path), over.signal).catch(() => call.cancel());
  });
}

/** Waits while the other side reads slower than this writes; rejects once the call is over. */
async function write(
  call: ClientWritableStream<UploadResultRequest>,
  source: AsyncIterable<UploadResultRequest>,
  over: AbortSignal,
): Promise<void> {
  for await (const request of source) {
    over.throwIfAborted();
    if (!call.write(request)) await once(call, "drain", { signal: over });
  }
  call.end();
}

async function* requests(header: UploadResultRequest, path: string): AsyncIterable<UploadResultRequest> {
  yield header;
  for await (const data of createReadStream(path, { highWaterMark: CHUNK_BYTES_MAX })) {
    yield { message: { $case: "data", value: data as Buffer } };
  }
}

function verdictOf(error: ServiceError): UploadVerdict {
  if (error.code === status.NOT_FOUND || error.code === status.FAILED_PRECONDITION) return "gone";
  if (error.code === status.RESOURCE_EXHAUSTED || error.code === status.INVALID_ARGUMENT) return "refused";
  return "retry";
}
