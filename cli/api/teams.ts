import { type Caller, call } from "./client.ts";
import type { TeamRecord } from "./records.ts";

/** The teams that the key may act for. */
export async function listTeams(caller: Caller): Promise<readonly TeamRecord[]> {
  const page = (await call(caller, { method: "GET", path: "/v1/teams?size=100" })) as { items: TeamRecord[] };
  return page.items;
}
