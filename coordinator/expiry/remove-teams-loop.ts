/** Removes what deleted teams had: of a team that was deleted a moment ago every few seconds, of all others now and then. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Loop } from "@elastic/std/loop.ts";
import { isDeleted } from "../domain/team.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { type RemoveTeamOptions, removeOfDeletedTeam } from "./deleted-teams.ts";

const EVERY_MS = 5_000;
/** So long the team's services and shells may take to stop. */
const YOUNG_MS = 15 * 60_000;
/** What was under way for longer is found then. */
const CHECK_EVERY_MS = 10 * 60_000;

interface LoopOptions extends RemoveTeamOptions {
  /** One coordinator is enough. */
  readonly isLeading: () => boolean;
  readonly loops: LoopMetrics;
}

export function startRemovingTeams(options: LoopOptions): Loop {
  const { isLeading: isActive, loops, log } = options;
  const foundEmptyAt = new Map<string, Instant>();
  return startMeteredLoop({
    name: "remove_teams",
    everyMs: EVERY_MS,
    isActive,
    turn: () => removeDeletedTeams(options, foundEmptyAt),
    loops,
    log,
    failure: "what deleted teams had could not be removed",
  });
}

/** `foundEmptyAt` has, by team, when a round removed nothing. */
async function removeDeletedTeams(options: RemoveTeamOptions, foundEmptyAt: Map<string, Instant>): Promise<void> {
  const { store, clock, log } = options;
  const now = clock.now();
  const teams = [...store.view.teams.values()].filter(({ value }) => isDeleted(value));
  for (const team of teams) {
    const { id: teamId, deleted } = team.value;
    const isYoung = deleted !== undefined && deleted.at > now - YOUNG_MS;
    const emptyAt = foundEmptyAt.get(teamId);
    if (!isYoung && emptyAt !== undefined && emptyAt > now - CHECK_EVERY_MS) continue;
    const removed = await removeOfDeletedTeam(options, team);
    if (removed > 0) foundEmptyAt.delete(teamId);
    else foundEmptyAt.set(teamId, now);
    if (removed > 0) log.info({ teamId, removed }, "removed what a deleted team had");
  }
  const marks = new Set(teams.map(({ value }) => value.id));
  for (const teamId of foundEmptyAt.keys()) if (!marks.has(teamId)) foundEmptyAt.delete(teamId);
}
