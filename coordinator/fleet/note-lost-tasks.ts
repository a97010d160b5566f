/** Notes tasks of attempts from before a restore that neither the restored store nor the archive knows. */
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Archive } from "../archive/archive.ts";
import { LOST_TASKS_MAX, type LostTask } from "../domain/lost-task.ts";
import { create } from "../store/change.ts";
import { type NamedAttempt, readAttemptRef } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";
import { HELLO_LOOKUPS_MAX } from "./limits.ts";

export type LostFrom = LostTask["from"];
type Context = Pick<FleetContext, "store" | "archive" | "clock" | "log" | "metrics">;

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
    // The first epoch is 1.
    return named !== null && named.storeEpoch > 0 && named.storeEpoch < context.store.epoch ? [named] : [];
  });
  for (let at = 0; at < earlier.length; at += HELLO_LOOKUPS_MAX) {
    const unknown = await unknownOf({ ...context, archive }, earlier.slice(at, at + HELLO_LOOKUPS_MAX));
    let room = LOST_TASKS_MAX - [...context.store.view.lostTasks.values()].length;
    await Promise.all(unknown.map((named) => note(context, { nodeId, named, from, isListed: room-- > 0 })));
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

interface Noted {
  readonly nodeId: string;
  readonly named: NamedAttempt;
  readonly from: LostFrom;
  /** Whether the list has room for it. */
  readonly isListed: boolean;
}

async function note({ store, clock, log, metrics }: Context, { nodeId, named, from, isListed }: Noted): Promise<void> {
  const { taskId: id, number: attempt, storeEpoch } = named;
  const lost: LostTask = { id, nodeId, attempt, storeEpoch, from, reportedAt: clock.now() };
  // Another agent, or an earlier attempt, may have reported it already.
  if (isListed && (await store.commit([create("lost-tasks", lost)])).kind === "conflict") return;
  metrics.fleet.taskLost();
  log.warn(
    { taskId: id, nodeId, attempt, storeEpoch, from },
    "an agent ran a task that the restored store does not know",
  );
}
