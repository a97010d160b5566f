/** Changes of a team's origins. The service takes the list in full, so it is read again right before. */
import type { QueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { meQuery } from "../session/use-me.ts";

export async function changeOrigins(
  queries: QueryClient,
  teamId: string,
  change: (origins: readonly string[]) => readonly string[],
): Promise<unknown> {
  const { teams } = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
  const origins = [...change(teams.find(({ team_id: id }) => id === teamId)?.origins ?? [])];
  return dataOf(api.PATCH("/v1/teams/{id}", { params: { path: { id: teamId } }, body: { origins } }));
}
