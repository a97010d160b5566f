/** The team whose things the pages show, with the user's role in it; null once the user has left it. */
import { useSuspenseQuery } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { activeTeam } from "../active-team/active-team.ts";
import { meQuery } from "./use-me.ts";

export type Team = components["schemas"]["Team"];

export function useTeam(): Team | null {
  const { data: me } = useSuspenseQuery(meQuery);
  return me.teams.find((team) => team.team_id === activeTeam()) ?? null;
}
