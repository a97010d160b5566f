/**
 * The team that this tab acts in. It stays the same for as long as the page is loaded, and another one is chosen by loading
 * the page again: nothing that is under way, selected or cached for one team continues in another.
 */
import { chooseTeam, type TeamChoice } from "./choose-team.ts";

const STORED_AS = "elastic.team";

let active: string | null = null;

/** Null until it is known who is logged in, and for who is in no team. */
export function activeTeam(): string | null {
  return active;
}

/** Before the first page is shown: this tab's team, else the one that was last chosen in any tab, else the user's default. */
export function settleTeam(teams: readonly TeamChoice[]): void {
  active ??= chooseTeam(teams, [sessionStorage.getItem(STORED_AS), localStorage.getItem(STORED_AS)]);
  if (active !== null) sessionStorage.setItem(STORED_AS, active);
}

/** Loads the page at `path` in the team; null for the user's default. */
export function switchTeam(teamId: string | null, path: string): void {
  for (const store of [sessionStorage, localStorage]) {
    if (teamId === null) store.removeItem(STORED_AS);
    else store.setItem(STORED_AS, teamId);
  }
  window.location.assign(path);
}
