/** The team that this browser acts in; null for the user's default. */
const STORED_AS = "elastic.team";

export function activeTeam(): string | null {
  return localStorage.getItem(STORED_AS);
}

export function setActiveTeam(teamId: string | null): void {
  if (teamId === null) localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, teamId);
}
