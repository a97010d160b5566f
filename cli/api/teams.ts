import { type Caller, call } from "./client.ts";
import type { TeamPage, TeamRecord } from "./records.ts";

/** More teams than anybody is in: a server that never ends its list is not followed for ever. */
const PAGES_MAX = 100;

/** The teams that the key may act for. */
export async function listTeams(caller: Caller): Promise<readonly TeamRecord[]> {
  const teams: TeamRecord[] = [];
  for (let page = 1; ; page += 1) {
    const { items, pages } = (await call(caller, {
      method: "GET",
      path: `/v1/teams?page=${page}&size=100`,
    })) as TeamPage;
    teams.push(...items);
    if (page >= Math.min(pages, PAGES_MAX)) return teams;
  }
}
