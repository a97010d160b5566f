/** Progress reports of agents: of running attempts of their own node, as the view has them. */
import type { AttemptProgress } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { isCurrent, readAttemptRef } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";

type Context = Pick<FleetContext, "store" | "progress" | "violations">;

/** Those of attempts that are over are skipped, and invalid ones: the next one comes when the progress has changed. */
export function receiveProgress(
  { store, progress, violations }: Context,
  nodeId: string,
  reports: readonly AttemptProgress[],
): void {
  for (const { attempt, fraction, message } of reports) {
    const named = readAttemptRef(attempt);
    if (named === null || Number.isNaN(fraction)) {
      violations.note(nodeId, "progress", "a report of progress names no attempt, or is not a number");
      continue;
    }
    const task = store.view.tasks.get(named.taskId);
    if (!isCurrent(store.epoch, task, named) || task?.value.phase.kind !== "running") continue;
    if (task.value.phase.nodeId === nodeId) progress.set(named.taskId, named.number, { fraction, message });
    else violations.note(nodeId, "progress", "the attempt of a report of progress is another node's");
  }
}
