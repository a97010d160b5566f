import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { listAll } from "./pages.ts";
import type { NodeDetails, NodeFilter, NodeRecord } from "./records.ts";

/** By name. */
export async function listNodes(caller: Caller, filter: NodeFilter = {}): Promise<readonly NodeRecord[]> {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== undefined)).toString();
  return await listAll<NodeRecord>(caller, query === "" ? "/v1/nodes" : `/v1/nodes?${query}`);
}

export async function getNode(caller: Caller, id: string): Promise<NodeDetails> {
  return (await call(caller, { method: "GET", path: pathOf(id) })) as NodeDetails;
}

/** Asking again changes nothing, unless shells are to be stopped too. */
export async function drainNode(
  caller: Caller,
  id: string,
  { stopShells, spot }: { readonly stopShells: boolean; readonly spot: boolean },
): Promise<NodeRecord> {
  const query = [...(stopShells ? ["stop_shells=true"] : []), ...(spot ? ["spot=true"] : [])].join("&");
  const path = `${pathOf(id)}/drain${query === "" ? "" : `?${query}`}`;
  return (await call(caller, { method: "POST", path })) as NodeRecord;
}

export async function resumeNode(caller: Caller, id: string): Promise<NodeRecord> {
  return (await call(caller, { method: "POST", path: `${pathOf(id)}/resume` })) as NodeRecord;
}

export async function evictNode(caller: Caller, id: string): Promise<void> {
  await call(caller, { method: "POST", path: `${pathOf(id)}/evict` });
}

function pathOf(id: string): string {
  return `/v1/nodes/${encodeURIComponent(id)}`;
}
