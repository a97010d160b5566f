/**
 * The response to a transaction that only writes: where it was applied nobody reads what each operation returned, so that is
 * passed over.
 */
import { ResponseHeader, TxnResponse } from "@elastic/proto/gen/etcd/kv.ts";

/** Fields, as tags: number times eight, plus the kind of what follows. */
const HEADER = 0x0a;
const SUCCEEDED = 0x10;
const RESPONSES = 0x1a;

export function decodeTxnResponse(bytes: Buffer): TxnResponse {
  let header: ResponseHeader | undefined;
  let succeeded = false;
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at++];
    const { value, end } = varint(bytes, at);
    at = end;
    if (tag === SUCCEEDED) succeeded = value === 1;
    else if (tag === HEADER) header = ResponseHeader.decode(bytes.subarray(at, at + value));
    else if (tag !== RESPONSES) return TxnResponse.decode(bytes);
    if (tag !== SUCCEEDED) at += value;
    if (at > bytes.length) throw new Error("the response to a transaction is cut");
  }
  return succeeded ? { header, succeeded, responses: [] } : TxnResponse.decode(bytes);
}

function varint(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let scale = 1;
  for (let at = from; ; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw new Error("the response to a transaction is cut");
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, end: at + 1 };
    scale *= 0x80;
  }
}
