/** The team that a user has been in for longest. */
import { isDeleted } from "../domain/team.ts";
import type { View } from "../store/store.ts";

/** Null for a user who is in no team. */
export function firstTeamOf(
  { memberships, teams }: Pick<View, "memberships" | "teams">,
  userId: string,
): string | null {
  const [first] = [...memberships.values()]
    .map(({ value }) => value)
    .filter((membership) => membership.userId === userId)
    .filter(({ teamId }) => !isDeleted(teams.get(teamId)?.value ?? {}))
    .sort((a, b) => a.createdAt - b.createdAt);
  return first?.teamId ?? null;
}
