/** Between the port's shapes and etcd's messages. */
import {
  Compare_CompareResult as CompareResult,
  Compare_CompareTarget as CompareTarget,
  type TxnRequest,
  type TxnResponse,
} from "@elastic/proto/gen/etcd/kv.ts";
import type { IKeyValue, IResponseHeader } from "etcd3";
import type { StoreHeader } from "../identity/judge-response.ts";
import type { Entry, Txn, TxnOutcome } from "../kv.ts";

/** The first key after all that begin with the prefix, which is ASCII. */
export function endOf(prefix: string): Buffer {
  const end = Buffer.from(prefix);
  end.writeUInt8(end.readUInt8(end.length - 1) + 1, end.length - 1);
  return end;
}

export function toEntry(kv: IKeyValue): Entry {
  return { key: kv.key.toString(), value: kv.value, revision: Number(kv.mod_revision) };
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
    failure: compare.map(({ key }) => ({ request: { $case: "requestRange", value: { key } } })),
  };
}

const NO_HEADER: StoreHeader = { clusterId: "", revision: 0 };

/** Responses that report an error of a stream may have none, or an empty one. */
export function headerOf(header: Pick<IResponseHeader, "cluster_id" | "revision"> | null | undefined): StoreHeader {
  if (header === null || header === undefined || header.cluster_id === "0") return NO_HEADER;
  return { clusterId: header.cluster_id, revision: Number(header.revision) };
}

export function headerOfTxn({ header }: Pick<TxnResponse, "header">): StoreHeader {
  if (header === undefined || header.clusterId === 0n) return NO_HEADER;
  return { clusterId: String(header.clusterId), revision: Number(header.revision) };
}

export function fromTxnResponse({ header, succeeded, responses }: TxnResponse): TxnOutcome {
  const revision = Number(header?.revision ?? 0n);
  if (succeeded) return { applied: true, revision };
  const current = responses.map(({ response }): Entry | null => {
    const kv = response?.value.kvs[0];
    return kv === undefined ? null : { key: kv.key.toString(), value: kv.value, revision: Number(kv.modRevision) };
  });
  return { applied: false, revision, current };
}
