/** Cancels many tasks, by as many requests as that takes. */
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import type { OpenTaskFilter } from "./task-filter.ts";

/** Of one request. */
const TASKS_MAX = 1_000;

export type TaskChoice =
  | { readonly kind: "selected"; readonly ids: readonly string[] }
  | { readonly kind: "matching"; readonly filter: OpenTaskFilter };

/** Returns how many stand as cancelled. */
export async function cancelTasks(choice: TaskChoice): Promise<number> {
  return choice.kind === "selected" ? await cancelSelected(choice.ids) : await cancelMatching(choice.filter);
}

async function cancelSelected(ids: readonly string[]): Promise<number> {
  let count = 0;
  for (let from = 0; from < ids.length; from += TASKS_MAX) {
    const task_ids = ids.slice(from, from + TASKS_MAX);
    count += (await dataOf(api.POST("/v1/tasks/cancel", { body: { task_ids } }))).cancelled;
  }
  return count;
}

/** Ends, since the filter has a time before which the tasks were created: no new task comes into it. */
async function cancelMatching(filter: OpenTaskFilter): Promise<number> {
  let count = 0;
  for (;;) {
    const { cancelled, remaining } = await dataOf(api.POST("/v1/tasks/cancel", { body: { filter } }));
    count += cancelled;
    if (remaining === 0 || cancelled === 0) return count;
  }
}
