/** Once all faults are healed every task ends in time; what ran on a node that died is queued again, or ended, in time. */
import {
  type Check,
  count,
  isEnded,
  type Limits,
  notChecked,
  type Violation,
  violation,
  writesByTask,
} from "../check.ts";
import type { History } from "../history.ts";
import type { At, MarkerLine, WriteLine } from "../history-line.ts";

export const liveness: Check = {
  name: "liveness",
  lacks({ markers, writes }) {
    if (!markers.some(({ name }) => name === "healed" || name === "node-died")) return "no marker healed or node-died";
    return timedTasks({ writes }).length > 0 ? null : "no task whose writes to the store all have a time";
  },
  find(history, limits) {
    const tasks = timedTasks(history);
    const untimed = writesByTask(history).size - tasks.length;
    const over = endOf(history);
    const healed = history.markers.findLast(({ name }) => name === "healed");
    const deaths = history.markers.filter(({ name, node }) => name === "node-died" && node !== undefined);
    const violations = tasks.flatMap((task) => [
      ...(healed === undefined ? [] : endsLate(task, healed, limits)),
      ...deaths.flatMap((death) => requeuedLate(task, death, limits, over)),
    ]);
    const left = notChecked(untimed, "task", "not all of their writes have a time");
    return { violations, judged: `${count(tasks.length, "task")}, ${count(deaths.length, "death")} of nodes${left}` };
  },
};

type TimedWrite = At<WriteLine> & { readonly at: number };

interface TimedTask {
  readonly taskId: string;
  readonly writes: readonly TimedWrite[];
}

/** Of a task with a write that has none it is not known when it ended, or was queued again. */
function timedTasks(history: Pick<History, "writes">): readonly TimedTask[] {
  return [...writesByTask(history)].flatMap(([taskId, writes]) => {
    const timed = writes.filter((write): write is TimedWrite => write.at !== undefined);
    return timed.length === writes.length ? [{ taskId, writes: timed }] : [];
  });
}

/** The latest instant that the history knows of. */
function endOf({ writes, calls, markers }: History): number {
  let last = 0;
  for (const { at } of writes) last = Math.max(last, at ?? 0);
  for (const { invokedAt, returnedAt } of calls)
    last = Math.max(last, invokedAt, Number.isFinite(returnedAt) ? returnedAt : 0);
  for (const { at } of markers) last = Math.max(last, at);
  return last;
}

/** A task that was created later has as long from then on. */
function endsLate(
  { taskId, writes }: TimedTask,
  healed: At<MarkerLine>,
  { endWithinMs }: Limits,
): readonly Violation[] {
  const [first] = writes;
  if (first === undefined) return [];
  const by = Math.max(first.at, healed.at) + endWithinMs;
  const end = writes.find(({ phase }) => isEnded(phase));
  if (end !== undefined && end.at <= by) return [];
  const how = end === undefined ? "never ended" : `ended ${Math.round(end.at - by + endWithinMs)} ms later`;
  const sentence = `task ${taskId} was to end within ${endWithinMs} ms of the healing and ${how}`;
  return [violation(sentence, [taskId], healed.place, (end ?? writes.at(-1))?.place)];
}

function requeuedLate(
  { taskId, writes }: TimedTask,
  death: At<MarkerLine>,
  { requeueWithinMs }: Limits,
  over: number,
): readonly Violation[] {
  const index = writes.findLastIndex(({ at }) => at <= death.at);
  const running = writes[index];
  if (running?.phase !== "running" || running.node !== death.node) return [];
  const next = writes[index + 1];
  const after = (next?.at ?? over) - death.at;
  if (after <= requeueWithinMs) return [];
  const how = next === undefined ? "nothing became of it" : `was written ${Math.round(after)} ms later`;
  const sentence = `task ${taskId} ran on ${death.node} when that died, and ${how}: ${requeueWithinMs} ms are allowed`;
  return [violation(sentence, [taskId], running.place, death.place, next?.place)];
}
