import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { listAll } from "./pages.ts";
import type { NewPoolToken, PoolDetails, PoolRecord, PoolWithSecret } from "./records.ts";

/** By name. */
export async function listPools(caller: Caller): Promise<readonly PoolRecord[]> {
  return await listAll<PoolRecord>(caller, "/v1/pools");
}

export async function getPool(caller: Caller, name: string): Promise<PoolDetails> {
  return (await call(caller, { method: "GET", path: pathOf(name) })) as PoolDetails;
}

/** `body` is JSON, which the service validates. */
export async function putPool(caller: Caller, name: string, body: string): Promise<PoolWithSecret> {
  return (await call(caller, { method: "PUT", path: pathOf(name), body })) as PoolWithSecret;
}

export async function deletePool(caller: Caller, name: string): Promise<void> {
  await call(caller, { method: "DELETE", path: pathOf(name) });
}

export async function resumePool(caller: Caller, name: string): Promise<PoolRecord> {
  return (await call(caller, { method: "POST", path: `${pathOf(name)}/resume` })) as PoolRecord;
}

export async function createPoolToken(
  caller: Caller,
  name: string,
  wanted: { readonly uses_max?: number; readonly expires_in_seconds?: number },
): Promise<NewPoolToken> {
  const path = `${pathOf(name)}/tokens`;
  return (await call(caller, { method: "POST", path, body: JSON.stringify(wanted) })) as NewPoolToken;
}

function pathOf(name: string): string {
  return `/v1/pools/${encodeURIComponent(name)}`;
}
