/** Receives the result of a running attempt from the node that runs it: a header, then chunks, no faster than they are stored. */

import type {
  UploadResultHeader,
  UploadResultRequest,
  UploadResultResponse,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type ServerReadableStream, status } from "@grpc/grpc-js";
import { RESULT_BYTES_MAX } from "../domain/limits.ts";
import { findRunningOn, readAttemptRef } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";
import { identityOf } from "./node-identity.ts";
import { NAMES_NO_ATTEMPT, NO_NODE_IDENTITY, NOT_THE_NODES_ATTEMPT, Refusal, refusalOf, Violation } from "./refusal.ts";

type Context = Pick<FleetContext, "store" | "blobs" | "log" | "metrics" | "violations">;
export type UploadCall = ServerReadableStream<UploadResultRequest, UploadResultResponse>;
export type UploadAnswer = (error: Refusal | null, response?: UploadResultResponse) => void;

const SHA256_PATTERN = /^[0-9a-f]{64}$/;

const NOTHING_CAME = new Refusal(status.INVALID_ARGUMENT, "the upload ended before its header");
const HEADER_FIRST = new Violation("upload", status.INVALID_ARGUMENT, "the first message is a header");
const ONLY_DATA = new Violation("upload", status.INVALID_ARGUMENT, "after the header only data comes");

export async function handleUploadResult(context: Context, call: UploadCall, answer: UploadAnswer): Promise<void> {
  // The iterator gets it too; without a listener it would be an error that nobody handles.
  call.on("error", () => undefined);
  try {
    await receive(context, call);
    answer(null, {});
  } catch (error) {
    // Of an agent that went away nothing is to be said: its next upload, or its loss, is what matters.
    context.violations.noteError(identityOf(call)?.nodeId, error);
    const level = isCut(error) ? "debug" : "warn";
    if (!(error instanceof Refusal)) context.log[level]({ err: error }, "a result could not be stored");
    answer(refusalOf(error));
  }
}

/** How a stream says that its other side went away; the call itself may come to know of it later. */
function isCut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}

async function receive(context: Context, call: UploadCall): Promise<void> {
  const identity = identityOf(call);
  if (identity === null) throw NO_NODE_IDENTITY;
  const messages = call[Symbol.asyncIterator]() as AsyncIterator<UploadResultRequest>;
  const first = await messages.next();
  // A connection that breaks off looks the same as a stream without messages.
  if (first.done) throw NOTHING_CAME;
  const header = readHeader(first.value);
  const named = readAttemptRef(header.attempt);
  if (named === null) throw NAMES_NO_ATTEMPT;
  const task = await findRunningOn(context, identity.nodeId, named);
  if (task === null) throw NOT_THE_NODES_ATTEMPT;

  const size = Number(header.sizeBytes);
  const stored = await context.blobs.put(task.value.teamId, dataOf(call, messages, size), { bytesMax: size });
  if (stored.bytes !== size) throw mismatch(`${stored.bytes} bytes came, the header said ${size}`);
  if (stored.sha256 !== header.sha256) throw mismatch("the bytes do not have the digest of the header");
  context.metrics.fleet.resultUploaded(stored.bytes);
}

function readHeader(request: UploadResultRequest): UploadResultHeader {
  if (request.message?.$case !== "header") throw HEADER_FIRST;
  const header = request.message.value;
  if (header.sizeBytes > BigInt(RESULT_BYTES_MAX)) {
    throw new Violation("upload", status.RESOURCE_EXHAUSTED, `a result has at most ${RESULT_BYTES_MAX} bytes`);
  }
  if (!SHA256_PATTERN.test(header.sha256)) {
    throw new Violation("upload", status.INVALID_ARGUMENT, "the digest is not 64 lower-case hexadecimal digits");
  }
  return header;
}

async function* dataOf(
  call: UploadCall,
  messages: AsyncIterator<UploadResultRequest>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  for (let next = await messages.next(); !next.done; next = await messages.next()) {
    const { message } = next.value;
    if (message?.$case !== "data") throw ONLY_DATA;
    received += message.value.length;
    if (received > size) throw mismatch(`more bytes came than the ${size} of the header`);
    yield message.value;
  }
  // A stream that is cut ends like one that is complete.
  if (call.cancelled) throw new Refusal(status.CANCELLED, "the upload was cancelled");
}

function mismatch(details: string): Refusal {
  return new Refusal(status.DATA_LOSS, details);
}
