/**
 * Removes what deleted teams and users had: of one that was deleted a moment ago every few seconds, of all others now and then.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Loop } from "@elastic/std/loop.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { type RemoveTeamOptions, removeOfDeletedTeam } from "./deleted-teams.ts";
import { removeOfDeletedUser } from "./deleted-users.ts";

const EVERY_MS = 5_000;
/** So long a team's services and shells may take to stop. */
const YOUNG_MS = 15 * 60_000;
/** What was under way for longer is found then. */
const CHECK_EVERY_MS = 10 * 60_000;

interface LoopOptions extends RemoveTeamOptions {
  /** One coordinator is enough. */
  readonly isLeading: () => boolean;
  readonly loops: LoopMetrics;
}

interface Mark {
  readonly id: string;
  readonly deletedAt: Instant;
  /** Returns how many records were changed or removed. */
  readonly removeSome: () => Promise<number>;
}

export function startRemovingDeleted(options: LoopOptions): Loop {
  const { isLeading: isActive, loops, log } = options;
  const foundEmptyAt = new Map<string, Instant>();
  return startMeteredLoop({
    name: "remove_deleted",
    everyMs: EVERY_MS,
    isActive,
    turn: () => removeDeleted(options, foundEmptyAt),
    loops,
    log,
    failure: "what deleted teams and users had could not be removed",
  });
}

/** `foundEmptyAt` has, by id, when a round removed nothing. */
async function removeDeleted(options: RemoveTeamOptions, foundEmptyAt: Map<string, Instant>): Promise<void> {
  const { clock, log } = options;
  const now = clock.now();
  const marks = [...marksOf(options)];
  for (const { id, deletedAt, removeSome } of marks) {
    const emptyAt = foundEmptyAt.get(id);
    if (deletedAt <= now - YOUNG_MS && emptyAt !== undefined && emptyAt > now - CHECK_EVERY_MS) continue;
    const removed = await removeSome();
    if (removed > 0) foundEmptyAt.delete(id);
    else foundEmptyAt.set(id, now);
    if (removed > 0) log.info({ id, removed }, "removed what a deleted team or user had");
  }
  const ids = new Set(marks.map(({ id }) => id));
  for (const id of foundEmptyAt.keys()) if (!ids.has(id)) foundEmptyAt.delete(id);
}

function* marksOf(options: RemoveTeamOptions): Iterable<Mark> {
  const { teams, users } = options.store.view;
  for (const team of teams.values()) {
    const { id, deleted } = team.value;
    if (deleted !== undefined)
      yield { id, deletedAt: deleted.at, removeSome: () => removeOfDeletedTeam(options, team) };
  }
  for (const user of users.values()) {
    const { id, deleted } = user.value;
    if (deleted !== undefined)
      yield { id, deletedAt: deleted.at, removeSome: () => removeOfDeletedUser(options, user) };
  }
}
