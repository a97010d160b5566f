/** No task exists that nobody created, and each create made one at most. */
import {
  acknowledged,
  areClientsRecorded,
  type Check,
  count,
  isStoreWatched,
  type Violation,
  violation,
} from "../check.ts";
import type { Call, History } from "../history.ts";
import type { Place } from "../history-line.ts";

/** Of one violation: there may be as many as there are tasks. */
const PLACES_MAX = 1_000;

export const doubled: Check = {
  name: "doubled",
  lacks(history) {
    if (!areClientsRecorded(history)) return "no calls of clients";
    return null;
  },
  find(history) {
    const violations = [
      ...sharedTasks(history),
      ...sharedKeys(history),
      ...ofRejected(history),
      ...unexplained(history),
      ...ofOneInput(history),
    ];
    return { violations, judged: count(history.calls.filter(({ f }) => f === "create").length, "create") };
  },
};

function sharedTasks(history: History): readonly Violation[] {
  return [...Map.groupBy(acknowledged(history), ({ taskId }) => taskId)].flatMap(([taskId, calls]) => {
    const isOne = calls.length === 1 || new Set(calls.map(({ key }, index) => key ?? index)).size === 1;
    if (isOne) return [];
    const places = calls.map(({ place }) => place);
    return [violation(`${calls.length} creates were acknowledged with the same task ${taskId}`, [taskId], ...places)];
  });
}

function sharedKeys(history: History): readonly Violation[] {
  const keyed = acknowledged(history).filter(({ key }) => key !== null);
  return [...Map.groupBy(keyed, ({ key }) => key)].flatMap(([key, calls]) => {
    const ids = [...new Set(calls.map(({ taskId }) => taskId))];
    if (ids.length === 1) return [];
    return [violation(`the idempotency key ${key} made ${ids.length} tasks`, ids, ...calls.map(({ place }) => place))];
  });
}

/** A create that was rejected with the id of a task which exists, and which no other create has made. */
function ofRejected(history: History): readonly Violation[] {
  const creates = history.calls.filter(({ f, taskId }) => f === "create" && taskId !== null);
  const made = new Set(creates.filter(({ outcome }) => outcome !== "fail").map(({ taskId }) => taskId));
  const there = placesOfTasks(history);
  return creates.flatMap(({ outcome, taskId, place }) => {
    if (outcome !== "fail" || taskId === null || made.has(taskId) || !there.has(taskId)) return [];
    return [violation(`a create was rejected, and its task ${taskId} exists`, [taskId], place, there.get(taskId))];
  });
}

/** Where each task is first written, or shown to a client. */
function placesOfTasks({ writes, calls }: History): ReadonlyMap<string, Place | null> {
  const places = new Map<string, Place | null>();
  const add = (taskId: string, place: Place | null) => void (places.has(taskId) || places.set(taskId, place));
  for (const { task_id, place } of writes) add(task_id, place);
  for (const { f, taskId, task, place } of calls) if (f !== "create" && taskId !== null && task) add(taskId, place);
  return places;
}

/** More tasks than responses that were lost. */
function unexplained(history: History): readonly Violation[] {
  const known = new Set(acknowledged(history).map(({ taskId }) => taskId));
  const first = new Map([...placesOfTasks(history)].filter(([taskId]) => !known.has(taskId)));
  const creates = history.calls.filter(({ f }) => f === "create");
  const unknown = creates.filter(({ outcome }) => outcome === "info").length;
  if (first.size <= unknown) return [];
  const rejected = creates.filter(({ outcome }) => outcome === "fail").length;
  const also = rejected === 0 ? "" : `; ${count(rejected, "create")} more were rejected, which make none`;
  const sentence = `${first.size} tasks were not acknowledged to anybody, and only ${unknown} responses were lost${also}`;
  return [violation(sentence, [...first.keys()], ...[...first.values()].slice(0, PLACES_MAX))];
}

/** Where inputs were recorded: each create of an input made one task of it at most, and one that was rejected none. */
function ofOneInput(history: History): readonly Violation[] {
  const creates = history.calls.filter(({ f }) => f === "create");
  if (!isStoreWatched(history) || creates.some(({ inputSha256 }) => inputSha256 === null)) return [];
  const makersOf = Map.groupBy(
    creates.filter(({ outcome }) => outcome !== "fail"),
    ({ inputSha256 }) => inputSha256,
  );
  const firstWrites = new Map([...history.writes].reverse().map((write) => [write.task_id, write]));
  const stored = [...firstWrites.values()].filter(({ input_sha256 }) => input_sha256 !== undefined);
  return [...Map.groupBy(stored, ({ input_sha256 }) => input_sha256)].flatMap(([input, writes]) => {
    const makers = makersOf.get(input ?? "") ?? [];
    const max = tasksMax(makers);
    if (writes.length <= max) return [];
    const sentence = `${count(writes.length, "task")} of the input ${input} are stored, and ${count(max, "create")} may have made them`;
    const places = [...makers, ...writes].map(({ place }) => place);
    return [
      violation(
        sentence,
        writes.map(({ task_id }) => task_id),
        ...places,
      ),
    ];
  });
}

/** A key makes one task, whatever is repeated under it. */
function tasksMax(makers: readonly Call[]): number {
  return new Set(makers.map(({ key }, index) => key ?? index)).size;
}
