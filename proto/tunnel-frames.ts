/** A tunnel's messages as bytes: those of the generated code, without its copies of the data in them. */
import { BulkServiceService } from "./gen/elastic/fleet/v1/fleet.ts";
import type { TunnelRequest, TunnelResponse } from "./gen/elastic/fleet/v1/tunnel.ts";

const { tunnel } = BulkServiceService;

/** What comes before the bytes of each field. */
const STDOUT = (2 << 3) | 2;
const STDERR = (3 << 3) | 2;
const STDIN = (1 << 3) | 2;
const VARINT_BYTES_MAX = 5;

export const TUNNEL_CALL = {
  ...tunnel,
  requestSerialize: (given: TunnelRequest): Buffer => {
    const { message } = given;
    if (message?.$case === "stdout") return dataMessage(STDOUT, message.value);
    if (message?.$case === "stderr") return dataMessage(STDERR, message.value);
    return tunnel.requestSerialize(given);
  },
  requestDeserialize: (bytes: Buffer): TunnelRequest => {
    const value = bytes[0] === STDOUT || bytes[0] === STDERR ? dataOf(bytes) : null;
    if (value === null) return tunnel.requestDeserialize(bytes);
    return { message: { $case: bytes[0] === STDOUT ? "stdout" : "stderr", value } };
  },
  responseSerialize: (given: TunnelResponse): Buffer => {
    const { message } = given;
    return message?.$case === "stdin" ? dataMessage(STDIN, message.value) : tunnel.responseSerialize(given);
  },
  responseDeserialize: (bytes: Buffer): TunnelResponse => {
    const value = bytes[0] === STDIN ? dataOf(bytes) : null;
    return value === null ? tunnel.responseDeserialize(bytes) : { message: { $case: "stdin", value } };
  },
} as const;

function dataMessage(field: number, data: Buffer): Buffer {
  const header = [field];
  let left = data.length;
  for (; left > 0x7f; left >>>= 7) header.push((left & 0x7f) | 0x80);
  header.push(left);
  const message = Buffer.allocUnsafe(header.length + data.length);
  message.set(header);
  message.set(data, header.length);
  return message;
}

/** The data in place; null unless it is all that there is. */
function dataOf(message: Buffer): Buffer | null {
  let length = 0;
  for (let at = 1; at <= VARINT_BYTES_MAX; at += 1) {
    const byte = message[at] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * (at - 1));
    if (byte > 0x7f) continue;
    return at + 1 + length === message.length ? message.subarray(at + 1) : null;
  }
  return null;
}
