/** Where a log is below the place of all logs: `<team>/<task>/<attempt>`. */
import type { LogRef, TaskRef } from "./task-logs.ts";

const ID_PATTERN = /^[0-9a-f]{32}$/;
const ATTEMPT_PATTERN = /^[1-9]\d{0,5}$/;

/** Ids come from records, but a path is never built from what does not look like one. */
export function taskPath({ teamId, taskId }: TaskRef): string {
  if (!ID_PATTERN.test(teamId) || !ID_PATTERN.test(taskId)) throw new Error("not the ids of a team and a task");
  return `${teamId}/${taskId}`;
}

export function logPath(ref: LogRef): string {
  const name = String(ref.attempt);
  if (!ATTEMPT_PATTERN.test(name)) throw new Error(`${name} is not the number of an attempt`);
  return `${taskPath(ref)}/${name}`;
}

/** The attempts that names of a task's folder say, in order. */
export function attemptsOf(names: Iterable<string>): readonly number[] {
  return [...new Set(names)]
    .filter((name) => ATTEMPT_PATTERN.test(name))
    .map(Number)
    .sort((left, right) => left - right);
}
