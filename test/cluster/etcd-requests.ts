/** What tests read and change in a real etcd themselves, next to the coordinators: by its JSON interface. */
import { decodeRecord, encodeRecord } from "@elastic/coordinator/store/codec.ts";
import { type RecordKind, recordKey } from "@elastic/coordinator/store/keys.ts";
import { newId } from "@elastic/std/ids.ts";

/** Keys of records that begin so. */
export async function countKeys(endpoint: string, prefix: string): Promise<number> {
  // The next prefix: `/` is followed by `0`.
  const range = { key: base64(prefix), range_end: base64(prefix.replace(/\/$/, "0")), count_only: true };
  const { count } = await postEtcd<{ readonly count?: string }>(endpoint, "kv/range", range);
  return Number(count ?? 0);
}

/** Counts every transaction that wrote anything. */
export async function revisionOf(endpoint: string): Promise<number> {
  const range = { key: base64("/"), count_only: true };
  const { header } = await postEtcd<{ readonly header: { readonly revision: string } }>(endpoint, "kv/range", range);
  return Number(header.revision);
}

/** How often the keys that begin so, and are there now, were written. */
export async function writesUnder(endpoint: string, prefix: string): Promise<number> {
  const range = { key: base64(prefix), range_end: base64(prefix.replace(/\/$/, "0")) };
  const { kvs = [] } = await postEtcd<Range>(endpoint, "kv/range", range);
  return kvs.reduce((writes, { version }) => writes + Number(version), 0);
}

/** Of the keys that are there now, those that were written after this revision. */
export async function keysWrittenAfter(endpoint: string, revision: number): Promise<readonly string[]> {
  const { kvs = [] } = await postEtcd<Range>(endpoint, "kv/range", {
    key: base64("\0"),
    range_end: base64("\0"),
    keys_only: true,
    min_mod_revision: String(revision + 1),
  });
  return kvs.map(({ key }) => Buffer.from(key, "base64").toString("utf8"));
}

/** Whether there is this very key. */
export async function hasKey(endpoint: string, name: string): Promise<boolean> {
  const { count } = await postEtcd<{ readonly count?: string }>(endpoint, "kv/range", {
    key: base64(name),
    count_only: true,
  });
  return Number(count ?? 0) > 0;
}

/** Replaces a record by what `change` makes of it; a coordinator that writes it at the same time goes first. */
export async function changeRecord(
  endpoint: string,
  kind: RecordKind,
  id: string,
  change: (record: object) => object,
): Promise<void> {
  const name = recordKey(kind, id);
  await changeValue(endpoint, name, (value) => {
    const record = change(decodeRecord(value).value);
    return encodeRecord(name, newId(Date.now()), record);
  });
}

/** The same of the value of any key. */
export async function changeValue(endpoint: string, name: string, change: (value: Buffer) => Buffer): Promise<void> {
  const key = base64(name);
  for (let isChanged = false; !isChanged; ) {
    const { kvs = [] } = await postEtcd<Range>(endpoint, "kv/range", { key });
    const [kv] = kvs;
    if (kv === undefined) throw new Error(`there is no ${name}`);
    const value = change(Buffer.from(kv.value, "base64")).toString("base64");
    const { succeeded } = await postEtcd<{ readonly succeeded?: boolean }>(endpoint, "kv/txn", {
      compare: [{ key, target: "MOD", mod_revision: kv.mod_revision }],
      success: [{ request_put: { key, value } }],
    });
    isChanged = succeeded === true;
  }
}

/** Ends all leases now, as etcd does some seconds after the processes that held them were killed. */
export async function endLeases(endpoint: string): Promise<void> {
  const { leases = [] } = await postEtcd<{ readonly leases?: readonly object[] }>(endpoint, "lease/leases", {});
  for (const lease of leases) await postEtcd(endpoint, "lease/revoke", lease);
}

/** Forgets what was before that revision, as etcd does from time to time. */
export async function compact(endpoint: string, revision: number): Promise<void> {
  await postEtcd(endpoint, "kv/compaction", { revision, physical: true });
}

interface Range {
  readonly kvs?: readonly {
    readonly key: string;
    readonly value: string;
    readonly mod_revision: string;
    readonly version: string;
  }[];
}

async function postEtcd<T>(endpoint: string, method: string, body: object): Promise<T> {
  const response = await fetch(`${endpoint}/v3/${method}`, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
