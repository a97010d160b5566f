import { CliError } from "../errors/cli-error.ts";
import { notTheBaseAddress } from "./base-address.ts";
import { type Caller, call } from "./client.ts";
import type { TeamPage, TeamRecord } from "./records.ts";

/** More teams than anybody is in: a server that never ends its list is not followed for ever. */
const PAGES_MAX = 100;

/** The teams that the key may act for. */
export async function listTeams(caller: Caller): Promise<readonly TeamRecord[]> {
  const teams: TeamRecord[] = [];
  for (let page = 1; ; page += 1) {
    const { items, pages } = await getPage(caller, page);
    teams.push(...items);
    if (page >= Math.min(pages, PAGES_MAX)) return teams;
  }
}

/** Its path holds no id: where it does not exist, the address is wrong. */
async function getPage(caller: Caller, page: number): Promise<TeamPage> {
  try {
    return (await call(caller, { method: "GET", path: `/v1/teams?page=${page}&size=100` })) as TeamPage;
  } catch (error) {
    const astray = error instanceof CliError && ["route_not_found", "http_404"].includes(error.code);
    throw astray ? notTheBaseAddress(caller.url, error) : error;
  }
}
