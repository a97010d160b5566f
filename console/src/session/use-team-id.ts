/** The team whose things the pages show: the one that was chosen, else the user's default. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { useActiveTeam } from "./active-team.ts";
import { meQuery } from "./use-me.ts";

export function useTeamId(): string | null {
  const { data: me } = useSuspenseQuery(meQuery);
  return useActiveTeam() ?? me.teams.find((team) => team.default)?.team_id ?? null;
}
