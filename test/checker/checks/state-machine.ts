/** A task moves along the edges of the state machine only, and ends once: no write follows its end but its removal. */
import { type Check, count, isEnded, type Violation, violation, writesByTask } from "../check.ts";
import type { At, Phase, WriteLine } from "../history-line.ts";

const NEXT: Readonly<Record<Phase, readonly Phase[]>> = {
  queued: ["running", "failed", "cancelled", "timed_out", "expired"],
  running: ["queued", "succeeded", "failed", "cancelled", "timed_out"],
  succeeded: [],
  failed: [],
  cancelled: [],
  timed_out: [],
  expired: [],
};

export const stateMachine: Check = {
  name: "states",
  lacks: ({ writes }) => (writes.length === 0 ? "no writes of the store" : null),
  find(history) {
    const tasks = writesByTask(history);
    const violations = [...tasks].flatMap(([taskId, writes]) => wrongEdges(taskId, writes));
    return { violations, judged: count(tasks.size, "task") };
  },
};

function wrongEdges(taskId: string, writes: readonly At<WriteLine>[]): readonly Violation[] {
  return writes.flatMap((write, index) => {
    const { phase, revision, place } = write;
    const before = writes[index - 1];
    const wrong = (what: string) => [
      violation(`task ${taskId} ${what} at ${revision}`, [taskId], before?.place, place),
    ];
    if (before === undefined) return isEnded(phase) ? wrong(`began as ${phase}`) : [];
    if (before.phase === null) return wrong(`was written as ${phase} after its removal`);
    if (phase === null) return isEnded(before.phase) ? [] : wrong(`was removed while it was ${before.phase}`);
    if (isEnded(before.phase)) return wrong(`had ended and was written as ${phase}`);
    return NEXT[before.phase].includes(phase) ? [] : wrong(`went from ${before.phase} to ${phase}`);
  });
}
