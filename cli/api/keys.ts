import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { listAll } from "./pages.ts";
import type { KeyRecord, NewKey, NewKeyRecord } from "./records.ts";

export function listKeys(caller: Caller): Promise<readonly KeyRecord[]> {
  return listAll(caller, "/v1/keys");
}

export async function createKey(caller: Caller, key: NewKey): Promise<NewKeyRecord> {
  return (await call(caller, { method: "POST", path: "/v1/keys", body: JSON.stringify(key) })) as NewKeyRecord;
}

export async function revokeKey(caller: Caller, keyId: string): Promise<void> {
  await call(caller, { method: "DELETE", path: `/v1/keys/${encodeURIComponent(keyId)}` });
}
