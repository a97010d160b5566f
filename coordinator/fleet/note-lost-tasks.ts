/**
 * Notes tasks of attempts from before a restore that neither the restored store nor the archive knows. Nothing shows whether a node
 * made such an attempt up, so each node has its share of the list, and is logged in one line a minute.
 */
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Archive } from "../archive/archive.ts";
import type { LostTask } from "../domain/lost-task.ts";
import { create } from "../store/change.ts";
import { attemptKey, type NamedAttempt, readAttemptRef } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";
import { HELLO_LOOKUPS_MAX } from "./limits.ts";

export type LostFrom = LostTask["from"];
type Context = Pick<FleetContext, "store" | "archive" | "bounds" | "clock" | "log" | "metrics" | "violations">;

/** Rejects where the store or the archive cannot be read. */
export async function noteLostTasks(
  context: Context,
  nodeId: string,
  attempts: readonly AttemptRef[],
  from: LostFrom,
): Promise<void> {
  const { archive } = context;
  if (archive === null) return;
  const earlier = attempts.flatMap((ref) => {
    const named = readAttemptRef(ref);
    if (named === null && from === "ended") {
      context.violations.note(nodeId, "attempt", "it reports the end of what is no attempt");
    }
    // The first epoch is 1.
    return named !== null && named.storeEpoch > 0 && named.storeEpoch < context.store.epoch ? [named] : [];
  });
  for (let at = 0; at < earlier.length; at += HELLO_LOOKUPS_MAX) {
    const unknown = await unknownOf({ ...context, archive }, earlier.slice(at, at + HELLO_LOOKUPS_MAX));
    await noteUnknown(context, nodeId, unknown, from);
  }
}

async function unknownOf(
  { store, archive }: Pick<FleetContext, "store"> & { readonly archive: Pick<Archive, "getMany"> },
  named: readonly NamedAttempt[],
): Promise<readonly NamedAttempt[]> {
  const found = await Promise.all(
    named.map(async (one) => {
      const isKnown = store.view.tasks.get(one.taskId) ?? store.view.lostTasks.get(one.taskId);
      return isKnown === undefined && (await store.get("tasks", one.taskId)) === null ? [one] : [];
    }),
  );
  const missing = found.flat();
  if (missing.length === 0) return missing;
  const archived = new Set((await archive.getMany(missing.map(({ taskId }) => taskId))).map(({ task }) => task.id));
  return missing.filter(({ taskId }) => !archived.has(taskId));
}

async function noteUnknown(
  context: Context,
  nodeId: string,
  unknown: readonly NamedAttempt[],
  from: LostFrom,
): Promise<void> {
  const { store, bounds, metrics } = context;
  if (unknown.length === 0) return;
  const granted = bounds.lostTaskRoom.reserve(store.view, nodeId, unknown.length);
  try {
    const listing = unknown.slice(0, granted).map((named) => list(context, nodeId, named, from));
    const listed = (await Promise.all(listing)).filter((isListed) => isListed).length;
    const leftOut = unknown.slice(granted).filter((named) => isNews(context, nodeId, named)).length;
    for (let noted = 0; noted < listed + leftOut; noted++) metrics.fleet.taskLost();
    logNoted(context, nodeId, { from, listed, leftOut, taskId: unknown[0]?.taskId });
  } finally {
    bounds.lostTaskRoom.release(nodeId, granted);
  }
}

/** False where another agent, or an earlier attempt, has reported it already. */
async function list(
  { store, clock }: Context,
  nodeId: string,
  { taskId: id, number: attempt, storeEpoch }: NamedAttempt,
  from: LostFrom,
): Promise<boolean> {
  const lost: LostTask = { id, nodeId, attempt, storeEpoch, from, reportedAt: clock.now() };
  return (await store.commit([create("lost-tasks", lost)])).kind === "committed";
}

/** What has no room in the list is not found there when it is repeated. */
function isNews({ bounds, violations }: Context, nodeId: string, { taskId, revision }: NamedAttempt): boolean {
  const noted = bounds.unknownAttempts.add(nodeId, attemptKey(taskId, revision));
  if (noted === "excess") {
    violations.note(nodeId, "attempt", "it reports more attempts of unknown tasks than an agent retains");
  }
  return noted === "new";
}

interface NotedTasks {
  readonly from: LostFrom;
  readonly listed: number;
  /** Beyond the node's share of the list. */
  readonly leftOut: number;
  /** One of them. */
  readonly taskId: string | undefined;
}

function logNoted({ bounds, log }: Context, nodeId: string, noted: NotedTasks): void {
  const tasks = noted.listed + noted.leftOut;
  const unlogged = tasks === 0 ? null : bounds.lines.next(nodeId, "lost tasks", { events: tasks });
  if (unlogged === null) return;
  log.warn(
    { nodeId, ...noted, unlogged },
    "an agent ran tasks that the restored store does not know: `elastic-coordinator lost-tasks` lists them",
  );
}
