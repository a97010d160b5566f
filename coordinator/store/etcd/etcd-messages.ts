/** Between the port's shapes and etcd's messages. */
import {
  Compare_CompareResult as CompareResult,
  Compare_CompareTarget as CompareTarget,
  type KeyValue,
  type RangeRequest,
  type ResponseHeader,
  type TxnRequest,
  type TxnResponse,
} from "@elastic/proto/gen/etcd/kv.ts";
import type { StoreHeader } from "../identity/judge-response.ts";
import type { Entry, Txn, TxnOutcome } from "../kv.ts";

/** The first key after all that begin with the prefix, which is ASCII. */
export function endOf(prefix: string): Buffer {
  const end = Buffer.from(prefix);
  end.writeUInt8(end.readUInt8(end.length - 1) + 1, end.length - 1);
  return end;
}

export function toEntry({ key, value, modRevision }: KeyValue): Entry {
  return { key: key.toString(), value, revision: Number(modRevision) };
}

const NO_END = Buffer.alloc(0);

/** Of one key, at the newest revision or an earlier one. */
export function rangeOf(key: Buffer, at = 0): RangeRequest {
  return { key, rangeEnd: NO_END, limit: 0n, revision: BigInt(at) };
}

export function toReadRequest(keys: readonly string[], at: number | undefined): TxnRequest {
  const success = keys.map((key) => ({
    request: { $case: "requestRange" as const, value: rangeOf(Buffer.from(key), at) },
  }));
  return { compare: [], success, failure: [] };
}

/** When it does not hold, etcd reads the compared keys at the same revision. */
export function toTxnRequest({ compares, puts, deletes }: Txn): TxnRequest {
  const compare = compares.map(({ key, revision }) => ({
    result: CompareResult.EQUAL,
    target: CompareTarget.MOD,
    key: Buffer.from(key),
    targetUnion: { $case: "modRevision" as const, value: BigInt(revision) },
  }));
  const writes = puts.map(({ key, value, leaseId }) => ({
    $case: "requestPut" as const,
    value: { key: Buffer.from(key), value, lease: BigInt(leaseId ?? 0) },
  }));
  const removals = deletes.map((key) => ({ $case: "requestDeleteRange" as const, value: { key: Buffer.from(key) } }));
  return {
    compare,
    success: [...writes, ...removals].map((request) => ({ request })),
    failure: compare.map(({ key }) => ({ request: { $case: "requestRange", value: rangeOf(key) } })),
  };
}

const NO_HEADER: StoreHeader = { clusterId: "", revision: 0 };

/** Responses that report an error of a stream may have none, or an empty one. */
export function headerOf({ header }: { readonly header: ResponseHeader | undefined }): StoreHeader {
  if (header === undefined || header.clusterId === 0n) return NO_HEADER;
  return { clusterId: String(header.clusterId), revision: Number(header.revision) };
}

/** Of the keys that a transaction read, in their order. */
export function entriesOf({ responses }: TxnResponse): readonly (Entry | null)[] {
  return responses.map(({ response }) => {
    const kv = response?.value.kvs[0];
    return kv === undefined ? null : toEntry(kv);
  });
}

export function fromTxnResponse(response: TxnResponse): TxnOutcome {
  const { revision } = headerOf(response);
  if (response.succeeded) return { applied: true, revision };
  return { applied: false, revision, current: entriesOf(response) };
}
