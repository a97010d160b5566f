/** Between the port's shapes and etcd's messages. */
import type { IKeyValue, ITxnRequest, ITxnResponse } from "etcd3";
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
export function toTxnRequest({ compares, puts, deletes }: Txn): ITxnRequest {
  const keys = compares.map(({ key }) => Buffer.from(key));
  return {
    compare: compares.map(({ revision }, i) => ({
      result: "Equal",
      target: "Mod",
      key: keys[i] as Buffer,
      mod_revision: revision,
    })),
    success: [
      ...puts.map(({ key, value, leaseId }) => ({
        request_put: { key: Buffer.from(key), value, ...(leaseId === undefined ? {} : { lease: leaseId }) },
      })),
      ...deletes.map((key) => ({ request_delete_range: { key: Buffer.from(key) } })),
    ],
    failure: keys.map((key) => ({ request_range: { key } })),
  };
}

export function fromTxnResponse(response: ITxnResponse): TxnOutcome {
  const revision = Number(response.header.revision);
  if (response.succeeded) return { applied: true, revision };
  const current = response.responses.map(({ response_range }) => {
    const kv = response_range.kvs[0];
    return kv === undefined ? null : toEntry(kv);
  });
  return { applied: false, revision, current };
}
