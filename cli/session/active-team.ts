/** The team that a command acts in: the one that is named, else the active one. */
import type { Caller } from "../api/caller.ts";
import type { TeamRecord } from "../api/records.ts";
import { listTeams } from "../api/teams.ts";
import { CliError } from "../errors/cli-error.ts";
import { pickTeam } from "./find-team.ts";

/** Throws a CliError where the user is in no such team, or no longer in the active one. */
export async function activeTeam(caller: Caller, named: string | undefined): Promise<TeamRecord> {
  const teams = await listTeams(caller);
  if (named !== undefined) return pickTeam(teams, named);
  const active = teams.find((team) => (caller.teamId === undefined ? team.default : team.team_id === caller.teamId));
  if (active !== undefined) return active;
  throw new CliError("You are no longer in your active team.", {
    code: "no_active_team",
    next: "Run `elastic team switch` to choose another one.",
  });
}
