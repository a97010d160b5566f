/**
 * Removes what a deleted team had, in the store, the archive and the storage of logs. Blobs follow once nothing names them
 * (blobs/sweep-loop.ts), and tokens of single repositories once their connection is gone (source-hosts/renew-loop.ts). It is
 * called until nothing is left: what was under way while the team was deleted may be committed after a round.
 */
import type { Logger } from "@elastic/std/log.ts";
import type { Archive } from "../archive/archive.ts";
import type { Team } from "../domain/team.ts";
import type { Versioned } from "../domain/versioned.ts";
import { remove, removeBytes } from "../store/change.ts";
import { commitEach } from "../store/commit-each.ts";
import type { Kv } from "../store/kv.ts";
import { readAllVersioned } from "../store/read-all.ts";
import { READ_TASKS_MAX, readEndedTasks } from "../store/read-ended-tasks.ts";
import type { Change, Store, TaskPhaseKind } from "../store/store.ts";
import type { TaskLogs } from "../task-logs/task-logs.ts";
import type { RemoveUserOptions } from "./deleted-users.ts";
import { changesOfTeam } from "./team-changes.ts";

/** Tasks of a round, in the store and in the archive each. */
const TASKS_MAX = 2_000;
const ARCHIVED_AT_ONCE = 500;
const ENDED: readonly TaskPhaseKind[] = ["succeeded", "failed", "cancelled", "timed_out", "expired"];

export interface RemoveTeamOptions extends RemoveUserOptions {
  readonly kv: Pick<Kv, "range" | "read">;
  readonly store: Pick<Store, "commit" | "get" | "view">;
  readonly archive: Pick<Archive, "list" | "removeOfTeam">;
  readonly logs: Pick<TaskLogs, "remove">;
  readonly log: Logger;
}

/** One round. Returns how many records were changed or removed; with none left, the mark follows at its time. */
export async function removeOfDeletedTeam(options: RemoveTeamOptions, team: Versioned<Team>): Promise<number> {
  const { store, clock, auditRetentionMs } = options;
  const { id: teamId, deleted } = team.value;
  if (deleted === undefined) return 0;
  const now = clock.now();
  const changes = [...changesOfTeam(store.view, teamId, now), ...(await unwatchedOfTeam(options, teamId))];
  for (const change of changes) {
    // The log first: what has no record is never looked for again.
    if (change.kind === "remove" && change.record === "builds")
      await options.logs.remove({ teamId, taskId: change.id });
  }
  const removed =
    (await commitEach(
      store,
      changes.map((change) => [change]),
    )) +
    (await removeEndedTasks(options, teamId)) +
    (await removeArchived(options, teamId));
  if (removed === 0 && deleted.at <= now - auditRetentionMs) await store.commit([remove("teams", team)]);
  return removed;
}

async function unwatchedOfTeam({ kv, store }: RemoveTeamOptions, teamId: string): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const prefix = `${teamId}/`;
  for await (const one of readAllVersioned(kv, "idempotency-keys", { idPrefix: prefix }))
    changes.push(remove("idempotency-keys", one));
  for await (const one of readAllVersioned(kv, "service-names", { idPrefix: prefix }))
    changes.push(remove("service-names", one));
  for (const { value } of store.view.sourceConnections.of(teamId)) {
    const grant = await store.get("source-grants", value.id);
    if (grant !== null) changes.push(remove("source-grants", grant));
  }
  return changes;
}

async function removeEndedTasks({ kv, store, logs, log }: RemoveTeamOptions, teamId: string): Promise<number> {
  const { ids } = store.view.tasks.list({ teamId, phases: ENDED }, { offset: 0, limit: TASKS_MAX });
  let removed = 0;
  for (let from = 0; from < ids.length; from += READ_TASKS_MAX) {
    const tasks = await readEndedTasks(kv, ids.slice(from, from + READ_TASKS_MAX), log);
    for (const { read } of tasks) await logs.remove({ teamId, taskId: read.value.id });
    const groups = tasks.map(({ read, input, result }): readonly Change[] => [
      remove("tasks", read),
      ...(input === null ? [] : [removeBytes("input", read.value.id)]),
      ...(result === null ? [] : [removeBytes("result", read.value.id)]),
    ]);
    removed += await commitEach(store, groups);
  }
  return removed;
}

async function removeArchived({ archive, logs }: RemoveTeamOptions, teamId: string): Promise<number> {
  let removed = 0;
  for (;;) {
    const { ids } = await archive.list({ teamId }, { offset: 0, limit: ARCHIVED_AT_ONCE });
    for (const taskId of ids) await logs.remove({ teamId, taskId });
    await archive.removeOfTeam(teamId, ids);
    removed += ids.length;
    if (ids.length < ARCHIVED_AT_ONCE || removed >= TASKS_MAX) return removed;
  }
}
