/** What a check is given and what it returns. A check is pure, and one promise or a few that belong together. */
import type { Call, History } from "./history.ts";
import type { At, Phase, Place, State, WriteLine } from "./history-line.ts";

/** Within which time things must have happened. */
export interface Limits {
  /** From `healed` until every task has ended. */
  readonly endWithinMs: number;
  /** From the death of a node until its tasks are queued again. */
  readonly requeueWithinMs: number;
}

export interface Violation {
  readonly sentence: string;
  readonly taskIds: readonly string[];
  /** The lines that it rests on. */
  readonly places: readonly Place[];
}

interface Found {
  readonly violations: readonly Violation[];
  /** What was judged, such as "12 tasks". */
  readonly judged: string;
}

export interface Check {
  readonly name: string;
  /** What it would need and the history does not have; null where it can judge. */
  lacks(history: History): string | null;
  find(history: History, limits: Limits): Found;
}

export function violation(
  sentence: string,
  taskIds: readonly string[],
  ...places: readonly (Place | null | undefined)[]
): Violation {
  return { sentence, taskIds, places: places.filter((place) => place !== null && place !== undefined) };
}

export function isEnded(phase: Phase | null): boolean {
  return phase !== null && phase !== "queued" && phase !== "running";
}

export function stateOf(phase: Phase): State {
  if (!isEnded(phase)) return "PENDING";
  return phase === "succeeded" ? "SUCCESS" : "FAILURE";
}

/** Every write of each task, in the order of the watcher. */
export function writesByTask({ writes }: Pick<History, "writes">): ReadonlyMap<string, readonly At<WriteLine>[]> {
  return Map.groupBy(writes, ({ task_id }) => task_id);
}

/** Creates whose task the server has acknowledged. */
export function acknowledged({ calls }: History): readonly (Call & { readonly taskId: string })[] {
  return calls.filter((call) => call.f === "create" && call.outcome === "ok" && call.taskId !== null) as never;
}

/** Whether the writes are all that there were, from the first revision on. */
export function isStoreWatched({ writes, markers }: History): boolean {
  return writes.length > 0 || markers.some(({ name }) => name === "store-watched");
}

/** Whether the calls are those of all clients. */
export function areClientsRecorded({ calls, markers }: History): boolean {
  return calls.some(({ f }) => f === "create") || markers.some(({ name }) => name === "clients-recorded");
}

/** Of a part that could not be judged; nothing where there is none. */
export function notChecked(number: number, what: string, why: string): string {
  return number === 0 ? "" : `, ${count(number, what)} not checked for lack of data: ${why}`;
}

export function count(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}
