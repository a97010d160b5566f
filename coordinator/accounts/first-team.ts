/** The team that a user has been in for longest. */
import type { View } from "../store/store.ts";

/** Null for a user who is in no team. */
export function firstTeamOf({ memberships }: Pick<View, "memberships">, userId: string): string | null {
  const [first] = [...memberships.values()]
    .map(({ value }) => value)
    .filter((membership) => membership.userId === userId)
    .sort((a, b) => a.createdAt - b.createdAt);
  return first?.teamId ?? null;
}
