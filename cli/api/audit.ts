import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type { AuditEntryRecord } from "./records.ts";

export interface AuditQuery {
  readonly action?: string;
  readonly user_id?: string;
  readonly object_id?: string;
  readonly from?: string;
  readonly to?: string;
}

interface AuditPage {
  readonly items: readonly AuditEntryRecord[];
  readonly next_cursor: string | null;
}

const PAGE_SIZE = 100;

/** The newest `limit` entries of a team's audit log that match the query. */
export async function listAudit(
  caller: Caller,
  teamId: string,
  { query, limit }: { readonly query: AuditQuery; readonly limit: number },
): Promise<readonly AuditEntryRecord[]> {
  const entries: AuditEntryRecord[] = [];
  let cursor: string | null = null;
  do {
    const size = String(Math.min(PAGE_SIZE, limit - entries.length));
    const parameters = new URLSearchParams({ ...query, size, ...(cursor === null ? {} : { cursor }) });
    const path = `/v1/teams/${encodeURIComponent(teamId)}/audit?${parameters}`;
    const page = (await call(caller, { method: "GET", path })) as AuditPage;
    entries.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null && entries.length < limit);
  return entries;
}
