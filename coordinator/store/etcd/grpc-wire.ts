/** How gRPC puts a message and a status on an HTTP/2 stream. */
import type { IncomingHttpHeaders } from "node:http2";
import { status } from "@grpc/grpc-js";

export interface GrpcStatus {
  /** One of gRPC's. */
  readonly code: number;
  readonly message: string;
}

export interface GrpcAnswer extends GrpcStatus {
  /** What came before the status. */
  readonly data: Buffer;
}

/** A byte that says whether the message is compressed, and four of its length. */
const PREFIX_BYTES = 5;

export function encodeMessage(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame.writeUInt8(0, 0);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

/** The one message of the response to a unary call. */
export function readMessage(data: Buffer): Buffer {
  const isComplete = data.length >= PREFIX_BYTES && data.length === PREFIX_BYTES + data.readUInt32BE(1);
  if (!isComplete || data.readUInt8(0) !== 0) throw new Error(`${data.length} bytes are not one uncompressed message`);
  return data.subarray(PREFIX_BYTES);
}

/** Of the trailers, or of the head of a response that has nothing else; null where it is still to come. */
export function grpcStatus(headers: IncomingHttpHeaders): GrpcStatus | null {
  const code = headers["grpc-status"];
  if (code !== undefined) return { code: Number(code), message: decodeText(String(headers["grpc-message"] ?? "")) };
  const httpStatus = headers[":status"];
  if (httpStatus === undefined || Number(httpStatus) === 200) return null;
  return { code: status.UNKNOWN, message: `the response was HTTP ${httpStatus}` };
}

/** As it is where it is not percent-encoded as it should be. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
