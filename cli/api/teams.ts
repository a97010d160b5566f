import { CliError } from "../errors/cli-error.ts";
import { notTheBaseAddress } from "./base-address.ts";
import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { listAll } from "./pages.ts";
import type { TeamRecord } from "./records.ts";

/** The teams that the key may act for. Their path holds no id: where it does not exist, the address is wrong. */
export async function listTeams(caller: Caller): Promise<readonly TeamRecord[]> {
  try {
    return await listAll(caller, "/v1/teams");
  } catch (error) {
    const astray = error instanceof CliError && ["route_not_found", "http_404"].includes(error.code);
    throw astray ? notTheBaseAddress(caller.url, error) : error;
  }
}

export async function createTeam(caller: Caller, name: string): Promise<TeamRecord> {
  return (await call(caller, { method: "POST", path: "/v1/teams", body: JSON.stringify({ name }) })) as TeamRecord;
}

/** The name confirms that it is the team that is meant. */
export async function deleteTeam(caller: Caller, teamId: string, name: string): Promise<void> {
  const path = `/v1/teams/${encodeURIComponent(teamId)}?name=${encodeURIComponent(name)}`;
  await call(caller, { method: "DELETE", path });
}

export async function renameTeam(caller: Caller, teamId: string, name: string): Promise<TeamRecord> {
  const path = `/v1/teams/${encodeURIComponent(teamId)}`;
  return (await call(caller, { method: "PATCH", path, body: JSON.stringify({ name }) })) as TeamRecord;
}
