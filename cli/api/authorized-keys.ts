import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type { AuthorizedKeyRecord } from "./records.ts";

const PATH = "/v1/me/authorized-keys";

export async function listAuthorizedKeys(caller: Caller): Promise<readonly AuthorizedKeyRecord[]> {
  return ((await call(caller, { method: "GET", path: PATH })) as { readonly items: AuthorizedKeyRecord[] }).items;
}

/** `key` is a line as in a .pub file of ssh-keygen. */
export async function addAuthorizedKey(caller: Caller, key: string): Promise<AuthorizedKeyRecord> {
  return (await call(caller, { method: "POST", path: PATH, body: JSON.stringify({ key }) })) as AuthorizedKeyRecord;
}

export async function removeAuthorizedKey(caller: Caller, keyId: string): Promise<void> {
  await call(caller, { method: "DELETE", path: `${PATH}/${encodeURIComponent(keyId)}` });
}
