/** A team by its name or id, among those of the caller. */
import type { Caller } from "../api/caller.ts";
import type { TeamRecord } from "../api/records.ts";
import { listTeams } from "../api/teams.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { findByPrefix } from "../ids/choose-id.ts";

/** As {@link pickTeam}, among the teams of the caller. */
export async function findTeam(caller: Caller, nameOrId: string): Promise<TeamRecord> {
  return pickTeam(await listTeams(caller), nameOrId);
}

/**
 * An id goes before a name, and a name before the beginning of an id. Throws a CliError where no team is meant, or several
 * are.
 */
export function pickTeam<T extends Pick<TeamRecord, "team_id" | "name">>(teams: readonly T[], nameOrId: string): T {
  const byId = teams.find((team) => team.team_id === nameOrId);
  if (byId !== undefined) return byId;
  const [first, ...others] = teams.filter((team) => team.name === nameOrId);
  if (first !== undefined && others.length === 0) return first;
  const byPrefix = first === undefined ? findByPrefix("team", nameOrId, teams, ({ team_id: id }) => id) : null;
  if (byPrefix !== null) return byPrefix;
  const known = teams.map((team) => `${team.name} (${team.team_id})`).join(", ");
  const problem =
    first === undefined ? `You are in no team named ${nameOrId}.` : `Several teams are named ${nameOrId}.`;
  throw new CliError(problem, { exitCode: EXIT.notFound, code: "team_not_found", next: `Name one of: ${known}.` });
}
