/** A cancellation that was acknowledged, or is in the audit log, is final. */
import { type Check, count, type Violation, violation } from "../check.ts";
import type { History } from "../history.ts";
import type { Phase, Place } from "../history-line.ts";

const ACTIONS = ["cancelTask", "cancelTasks"];

export const cancellations: Check = {
  name: "cancellations",
  lacks(history) {
    if (cancelled(history).length === 0) return "no acknowledged cancellation and none in the audit log";
    return history.writes.length + history.exported.length > 0 ? null : "no writes of the store and no export";
  },
  find(history) {
    const all = cancelled(history);
    const ends = new Map<string, { readonly phase: Phase; readonly place: Place | null }>();
    for (const task of history.exported) ends.set(task.task_id, task);
    for (const { task_id, phase, place } of history.writes) if (phase !== null) ends.set(task_id, { phase, place });
    const violations: Violation[] = all.flatMap(({ taskId, place }) => {
      const end = ends.get(taskId);
      if (end === undefined || end.phase === "cancelled") return [];
      return [violation(`task ${taskId} was cancelled and stands as ${end.phase}`, [taskId], place, end.place)];
    });
    return { violations, judged: count(all.length, "cancellation") };
  },
};

/** Calls whose response showed the task as cancelled, and entries of the commits that cancelled tasks. */
function cancelled({ calls, audit }: History): readonly { readonly taskId: string; readonly place: Place | null }[] {
  return [
    ...calls.flatMap(({ f, taskId, task, place }) =>
      f === "cancel" && taskId !== null && task?.phase === "cancelled" ? [{ taskId, place }] : [],
    ),
    ...audit.flatMap(({ action, object, also, after, place }) => {
      if (!ACTIONS.includes(action)) return [];
      const objects = after?.phase === "cancelled" ? [object, ...also] : also;
      return objects.flatMap(({ kind, id }) => (kind === "task" ? [{ taskId: id, place }] : []));
    }),
  ];
}
