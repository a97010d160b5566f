/** What a process has read does not change back; the end that is shown is the one that is stored; times are in order. */
import { type Check, count, isEnded, notChecked, type Violation, violation } from "../check.ts";
import type { Call, History } from "../history.ts";
import type { Phase, Place, SeenTask } from "../history-line.ts";

export const order: Check = {
  name: "order",
  lacks: (history) => {
    const isShown = history.calls.some(({ task }) => task) || history.exported.length > 0;
    if (!isShown && history.writes.length === 0)
      return "no responses with a task, no writes of the store and no export";
    return isShown || shownTimes(history).some(isComparable) ? null : "no writes of the store with times to compare";
  },
  find(history) {
    const times = shownTimes(history);
    const comparable = times.filter(isComparable);
    const ends = otherEnds(history);
    const violations = [...readsGoBack(history), ...ends.violations, ...comparable.flatMap(outOfOrder)];
    const untimed = notChecked(times.length - comparable.length, "record", "no two times to compare");
    const left = notChecked(ends.unknown, "end", "the store's writes of its task have no time, and may end before it");
    return { violations, judged: `${count(comparable.length, "record")}${untimed}${left}` };
  },
};

function readsGoBack({ calls }: History): readonly Violation[] {
  const reads = calls.filter(({ task, taskId, outcome }) => task && taskId !== null && outcome === "ok");
  const perReader = Map.groupBy(reads, ({ process, taskId }) => `${taskId}\n${process}`);
  return [...perReader.values()].flatMap((ofReader) => {
    const found: Violation[] = [];
    let end: Call | undefined;
    for (const call of ofReader) {
      const wentBack = end !== undefined && call.invokedAt >= end.returnedAt && differ(end.task, call.task);
      const sentence = `task ${call.taskId} was seen as ${text(end?.task)} and later as ${text(call.task)}`;
      if (wentBack) found.push(violation(sentence, [call.taskId ?? ""], end?.place, call.place));
      if (isEnded(call.task?.phase ?? null)) end = call;
    }
    return found;
  });
}

/** What must not change once a task has ended. */
const FINAL = ["state", "phase", "result_sha256", "finished"] as const;

/** In what both responses show. */
function differ(one: Call["task"], other: Call["task"]): boolean {
  return FINAL.some((name) => one?.[name] !== undefined && other?.[name] !== undefined && one[name] !== other[name]);
}

function text(task: SeenTask | null | undefined): string {
  return JSON.stringify(FINAL.map((name) => task?.[name]));
}

/** Of clients and of exports, against the store; a record that was removed is what it was before. */
interface ShownEnd {
  readonly taskId: string;
  readonly phase: Phase;
  readonly digest: string | null;
  readonly how: string;
  readonly place: Place | null;
}

function shownEnds({ calls, exported }: History): readonly ShownEnd[] {
  const seen = calls.flatMap(({ taskId, task, place }) =>
    taskId === null || !task
      ? []
      : [{ taskId, phase: task.phase, digest: task.result_sha256 ?? null, how: "was seen", place }],
  );
  const listed = exported.map(({ task_id: taskId, phase, result_sha256: digest = null, place }) => {
    return { taskId, phase, digest, how: "is exported", place };
  });
  return [...seen, ...listed].filter(({ phase }) => isEnded(phase));
}

/** `unknown`: of tasks that are open in the store as far as it was recorded, which may have been before they were shown. */
function otherEnds(history: History): { readonly violations: readonly Violation[]; readonly unknown: number } {
  const last = new Map(history.writes.filter(({ phase }) => phase !== null).map((write) => [write.task_id, write]));
  const shown = shownEnds(history);
  if (last.size === 0) return { violations: unlikeEnds(shown), unknown: 0 };
  const isComplete = history.markers.some(({ name }) => name === "store-watched");
  let unknown = 0;
  const violations = shown.flatMap(({ taskId, phase, how, place }) => {
    const stored = last.get(taskId);
    if (stored?.phase === phase) return [];
    if (!isComplete && stored !== undefined && !isEnded(stored.phase) && stored.at === undefined) {
      unknown += 1;
      return [];
    }
    return [
      violation(
        `task ${taskId} ${how} as ${phase} and is ${stored === undefined ? "not stored" : `stored as ${stored.phase}`}`,
        [taskId],
        stored?.place,
        place,
      ),
    ];
  });
  return { violations, unknown };
}

/** Without the writes it is not known which of two ends was the task's; that they differ is. */
function unlikeEnds(shown: readonly ShownEnd[]): readonly Violation[] {
  return [...Map.groupBy(shown, ({ taskId }) => taskId)].flatMap(([taskId, [first, ...others]]) =>
    others.flatMap(({ phase, digest, how, place }) => {
      const isLike = phase === first?.phase && (digest === first.digest || digest === null || first.digest === null);
      const sentence = `task ${taskId} ${first?.how} as ${first?.phase} and ${how} as ${phase}`;
      return isLike ? [] : [violation(`${sentence}, or with another result`, [taskId], first?.place, place)];
    }),
  );
}

interface Times {
  readonly taskId: string;
  readonly place: Place | null;
  /** As they are shown; texts sort as the times do. */
  readonly times: readonly (string | number)[];
}

function shownTimes({ calls, writes, exported }: History): readonly Times[] {
  const all: Times[] = [];
  for (const { taskId, task, place } of calls) {
    if (taskId !== null && task) all.push({ taskId, place, times: set(task.created, task.started, task.finished) });
  }
  for (const { task_id: taskId, created, started, finished, place } of [...writes, ...exported]) {
    all.push({ taskId, place, times: set(created, started, finished) });
  }
  return all;
}

function set(...times: readonly (string | number | null | undefined)[]): readonly (string | number)[] {
  return times.filter((time) => time !== null && time !== undefined);
}

function isComparable({ times }: Times): boolean {
  return times.length > 1;
}

function outOfOrder({ taskId, times, place }: Times): readonly Violation[] {
  if (times.every((time, index) => index === 0 || (times[index - 1] ?? time) <= time)) return [];
  return [violation(`task ${taskId} has its times out of order: ${times.join(", ")}`, [taskId], place)];
}
