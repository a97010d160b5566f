/** An acknowledged task is never lost, and has ended when the history is over. */
import {
  acknowledged,
  type Check,
  count,
  isEnded,
  isStoreWatched,
  type Violation,
  violation,
  writesByTask,
} from "../check.ts";
import type { Call, History } from "../history.ts";

export const lost: Check = {
  name: "lost",
  lacks(history) {
    if (acknowledged(history).length === 0) return "no create that was acknowledged";
    if (isStoreWatched(history) || history.exported.length > 0) return null;
    return history.calls.some(({ f }) => f === "get") ? null : "no writes of the store, no export and no reads";
  },
  find(history) {
    const creates = acknowledged(history);
    const violations = [...missing(history), ...notFound(history)];
    return { violations, judged: count(creates.length, "acknowledged create") };
  },
};

function missing(history: History): readonly Violation[] {
  const isWatched = isStoreWatched(history);
  const writes = writesByTask(history);
  const exported = new Map(history.exported.map((task) => [task.task_id, task]));
  return acknowledged(history).flatMap(({ taskId, place }) => {
    const last = writes.get(taskId)?.at(-1);
    const shown = exported.get(taskId);
    const found = (what: string, ...further: Parameters<typeof violation>[2][]) => [
      violation(`task ${taskId} was acknowledged and ${what}`, [taskId], place, ...further),
    ];
    if (exported.size > 0 && shown === undefined) return found("is not in the export");
    if (isWatched && last === undefined) return found("never stored");
    if (last?.phase === null && shown === undefined) return found("is gone", last.place);
    const phase = last?.phase ?? shown?.phase;
    return phase === undefined || isEnded(phase) ? [] : found(`is still ${phase}`, last?.place ?? shown?.place);
  });
}

/** Read after its create had returned. */
function notFound(history: History): readonly Violation[] {
  const created = new Map<string, Call>(acknowledged(history).map((call) => [call.taskId, call]));
  return history.calls.flatMap((call) => {
    const before = call.task === null && call.taskId !== null ? created.get(call.taskId) : undefined;
    if (before === undefined || call.invokedAt < before.returnedAt) return [];
    const taskId = call.taskId ?? "";
    return [
      violation(
        `task ${taskId} was acknowledged and not found by a later ${call.f}`,
        [taskId],
        before.place,
        call.place,
      ),
    ];
  });
}
