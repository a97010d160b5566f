/**
 * The frames between the agent and a kernel host, its child process that makes the native calls:
 * `u32 length of what follows | u8 kind | u32 call | payload`, little-endian, over one socket.
 *
 * This folder's files run inside the sandbox of the child. They import one another, Node and koffi, nothing
 * else: nothing else is there.
 */
import type { Duplex } from "node:stream";

export const FRAME_KIND = {
  /** To the host: starts a call. Payload: u64 length of the complete input, then its first bytes. */
  call: 1,
  /** To the host: more of a call's input. */
  input: 2,
  /** To the host: give the call up. */
  cancel: 3,
  /** From the host: the prover is ready to be called. */
  ready: 4,
  /** From the host: the prover cannot work; the payload says why. `call` carries the status. */
  unusable: 5,
  /** From the host: bytes of a call's output, with more to come. */
  output: 6,
  /** From the host: u8 status, then the last bytes of the output, or the sentence that says what went wrong. */
  done: 7,
  /** From the host: u32 millionths, how far a call is that runs. */
  progress: 8,
} as const;

export type FrameKind = (typeof FRAME_KIND)[keyof typeof FRAME_KIND];

export interface Frame {
  readonly kind: number;
  readonly call: number;
  readonly payload: Buffer;
}

/** Long inputs and outputs are cut to this, so that a cancel never waits behind much. */
export const CHUNK_BYTES_MAX = 256 * 1024;

const HEADER_BYTES = 9;
/** What is counted by the length field in addition to the payload. */
const COUNTED_HEADER_BYTES = 5;
/** Larger than any frame that is sent, so a broken stream is noticed instead of believed. */
const FRAME_BYTES_MAX = CHUNK_BYTES_MAX + 64;

export function encodeFrame(kind: FrameKind, call: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  frame.writeUInt32LE(COUNTED_HEADER_BYTES + payload.length, 0);
  frame.writeUInt8(kind, 4);
  frame.writeUInt32LE(call, 5);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

/** The payload of a `call` frame. */
export function encodeCall(inputBytes: number, first: Uint8Array): Buffer {
  const payload = Buffer.allocUnsafe(8 + first.length);
  payload.writeBigUInt64LE(BigInt(inputBytes), 0);
  payload.set(first, 8);
  return payload;
}

export function decodeCall(payload: Buffer): { readonly inputBytes: number; readonly first: Buffer } {
  return { inputBytes: Number(payload.readBigUInt64LE(0)), first: payload.subarray(8) };
}

/** The payload of a `done` frame. */
export function encodeDone(status: number, last: Uint8Array): Buffer {
  const payload = Buffer.allocUnsafe(1 + last.length);
  payload.writeUInt8(status, 0);
  payload.set(last, 1);
  return payload;
}

export function decodeDone(payload: Buffer): { readonly status: number; readonly last: Buffer } {
  return { status: payload.readUInt8(0), last: payload.subarray(1) };
}

/** The payload of a `progress` frame. */
export function encodeProgress(millionths: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32LE(millionths, 0);
  return payload;
}

/** A fraction from 0 to 1. */
export function decodeProgress(payload: Buffer): number {
  return Math.min(1, payload.readUInt32LE(0) / 1_000_000);
}

/** Cuts a stream of bytes into frames. Throws on a length that no frame has. */
export function frameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (bytes.length >= HEADER_BYTES) {
      const counted = bytes.readUInt32LE(0);
      if (counted < COUNTED_HEADER_BYTES || counted > FRAME_BYTES_MAX) {
        throw new Error(`a frame of ${counted} bytes is not one of ours`);
      }
      const end = 4 + counted;
      if (bytes.length < end) break;
      onFrame({ kind: bytes.readUInt8(4), call: bytes.readUInt32LE(5), payload: bytes.subarray(HEADER_BYTES, end) });
      bytes = bytes.subarray(end);
    }
    rest = bytes;
  };
}

/** Writes frames, those of one turn of the loop together. Returns whether more may be written at once. */
export function frameWriter(socket: Duplex): (frame: Buffer) => boolean {
  let corked = false;
  return (frame) => {
    if (!corked) {
      corked = true;
      socket.cork();
      setImmediate(() => {
        corked = false;
        socket.uncork();
      });
    }
    return socket.write(frame);
  };
}
