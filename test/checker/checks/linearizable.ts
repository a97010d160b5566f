/** Each task is a linearizable object: its creates, reads and cancellations by all clients have one order. */
import { type Check, count, type Violation, violation } from "../check.ts";
import type { Call, History } from "../history.ts";
import { linearize } from "../linearize.ts";
import { taskRegister } from "../task-register.ts";

export const linearizable: Check = {
  name: "linearizable",
  lacks: (history) => (callsByTask(history).size === 0 ? "no calls that name a task" : null),
  find(history) {
    const tasks = callsByTask(history);
    const violations: Violation[] = [];
    let undecided = 0;
    for (const [taskId, calls] of tasks) {
      const verdict = linearize(calls.map(intervalOf), taskRegister);
      if (verdict === "undecided") undecided += 1;
      if (verdict === "not linearizable") violations.push(notLinearizable(taskId, calls));
    }
    const left = undecided === 0 ? "" : `, of which ${undecided} undecided: they have too many concurrent calls`;
    return { violations, judged: `${count(tasks.size, "task")}${left}` };
  },
};

/** Of a violation: a client may have read a task any number of times. */
const SHOWN_MAX = 1_000;

/** Of tasks whose creation is in the history: without it a task is not known to have been absent before. */
function callsByTask({ calls }: History): ReadonlyMap<string, readonly Call[]> {
  const ofTasks = calls.filter(({ taskId, outcome, f }) => taskId !== null && (outcome === "ok" || f === "create"));
  const groups = Map.groupBy(ofTasks, ({ taskId }) => taskId ?? "");
  return new Map([...groups].filter(([, group]) => group.some(({ f }) => f === "create")));
}

function intervalOf(call: Call) {
  return { op: call, invokedAt: call.invokedAt, returnedAt: call.returnedAt };
}

function notLinearizable(taskId: string, calls: readonly Call[]): Violation {
  const inOrder = [...calls].sort((a, b) => a.returnedAt - b.returnedAt);
  const shown = inOrder.slice(0, SHOWN_MAX);
  const what = shown.map(({ f, task }) => `${f}: ${task === null ? "not found" : (task?.phase ?? "no task shown")}`);
  const sentence = `the ${calls.length} calls on task ${taskId} have no order that explains them (as they returned: ${what.join(", ")}${inOrder.length > SHOWN_MAX ? ", …" : ""})`;
  return violation(sentence, [taskId], ...shown.map(({ place }) => place));
}
