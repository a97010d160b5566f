/** A result is there exactly where a task succeeded; its bytes are those of the digest that was committed, at every read. */
import { type Check, count, stateOf, type Violation, violation } from "../check.ts";
import type { Call, History } from "../history.ts";
import type { SeenTask } from "../history-line.ts";

export const results: Check = {
  name: "results",
  lacks: (history) =>
    reads(history).length + history.exported.length + succeeded(history).length === 0
      ? "no responses with a task, no export and no success in the store"
      : null,
  find(history) {
    const seen = reads(history);
    const violations = [...presence(seen), ...digests(history, seen), ...ofExport(history), ...withoutDigest(history)];
    return {
      violations,
      judged: `${count(seen.length, "response")}, ${count(history.exported.length, "exported task")}`,
    };
  },
};

interface Read extends Call {
  readonly taskId: string;
  readonly task: SeenTask;
}

function reads({ calls }: History): readonly Read[] {
  return calls.filter((call): call is Read => call.taskId !== null && call.task !== null && call.task !== undefined);
}

function succeeded({ writes }: History) {
  return writes.filter(({ phase }) => phase === "succeeded");
}

function presence(seen: readonly Read[]): readonly Violation[] {
  return seen.flatMap(({ taskId, task, place }) => {
    const { state, phase, result_sha256: result, started, finished } = task;
    const has = (what: string) => violation(`task ${taskId} was seen ${what}`, [taskId], place);
    return [
      ...(result === undefined || (result !== null) === (state === "SUCCESS")
        ? []
        : [has(`as ${state} with result ${result}`)]),
      ...(state === stateOf(phase) ? [] : [has(`as ${state} in the phase ${phase}`)]),
      ...(state === "PENDING" && (started ?? finished ?? null) !== null
        ? [has("PENDING with a time of start or end")]
        : []),
    ];
  });
}

function digests(history: History, seen: readonly Read[]): readonly Violation[] {
  const stored = new Map(succeeded(history).map((write) => [write.task_id, write]));
  return seen.flatMap(({ taskId, task, place }) => {
    const write = stored.get(taskId);
    if (!task.result_sha256 || write?.result_sha256 === undefined || write.result_sha256 === task.result_sha256)
      return [];
    const sentence = `task ${taskId} was seen with a result of digest ${task.result_sha256}, and ${write.result_sha256} was committed`;
    return [violation(sentence, [taskId], write.place, place)];
  });
}

function ofExport({ exported }: History): readonly Violation[] {
  return exported.flatMap(({ task_id: taskId, state, phase, started, finished, result_bytes, place }) => {
    const has = (what: string) => violation(`task ${taskId} is exported ${what}`, [taskId], place);
    return [
      ...(state === stateOf(phase) ? [] : [has(`as ${state} in the phase ${phase}`)]),
      ...((result_bytes !== null) === (state === "SUCCESS")
        ? []
        : [has(`as ${state} with ${result_bytes} bytes of result`)]),
      ...((finished !== null) === (state !== "PENDING") ? [] : [has(`as ${state} finished at ${finished}`)]),
      ...(state === "SUCCESS" && started === null ? [has("as SUCCESS without a start")] : []),
    ];
  });
}

/** Where the watcher recorded digests at all. */
function withoutDigest(history: History): readonly Violation[] {
  const ends = succeeded(history);
  if (ends.every(({ result_sha256 }) => result_sha256 === undefined)) return [];
  const odd = history.writes.filter(
    ({ phase, result_sha256 }) => (phase === "succeeded") !== (result_sha256 !== undefined),
  );
  return odd.map(({ task_id, phase, revision, place }) => {
    const sentence = `task ${task_id} was written as ${phase} ${phase === "succeeded" ? "without" : "with"} a result at ${revision}`;
    return violation(sentence, [task_id], place);
  });
}
