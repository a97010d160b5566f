import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type { UsageDayRecord, UsageRecord } from "./records.ts";

export interface UsageRange {
  readonly from?: string;
  readonly to?: string;
}

export async function getUsage(caller: Caller, teamId: string, range: UsageRange): Promise<UsageRecord> {
  return (await call(caller, { method: "GET", path: pathOf(teamId, "", range) })) as UsageRecord;
}

export async function listUsageDays(
  caller: Caller,
  teamId: string,
  range: UsageRange,
): Promise<readonly UsageDayRecord[]> {
  const { items } = (await call(caller, { method: "GET", path: pathOf(teamId, "/days", range) })) as {
    readonly items: readonly UsageDayRecord[];
  };
  return items;
}

function pathOf(teamId: string, list: string, range: UsageRange): string {
  const query = new URLSearchParams({ ...range }).toString();
  return `/v1/teams/${encodeURIComponent(teamId)}/usage${list}${query === "" ? "" : `?${query}`}`;
}
