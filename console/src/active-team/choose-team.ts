/** Which of the user's teams a tab acts in, and where it goes when another one is chosen. Pure. */
import type { components } from "elastic-client/gen/schema.ts";

export type TeamChoice = Pick<components["schemas"]["Team"], "team_id" | "default">;

/** The first of those remembered in which the user still is, else the default; null for who is in no team. */
export function chooseTeam(teams: readonly TeamChoice[], remembered: readonly (string | null)[]): string | null {
  const current = remembered.find((id) => teams.some((team) => team.team_id === id));
  return current ?? teams.find((team) => team.default)?.team_id ?? null;
}

/** The list that a page of one thing belongs to, since the other team does not have that thing. */
export function listOf(path: string): string {
  if (path.startsWith("/tasks/")) return "/settings/task-history";
  return /^\/(?:services|shells|volumes)(?=\/)/.exec(path)?.[0] ?? path;
}
