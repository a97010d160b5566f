/**
 * Tasks that are equal but for what is their own, of each service those of late: a task that waits is held as the difference
 * from one of them. A service has few: one for each creator, and for each choice of budgets, retention and retries.
 */
import { isDeepStrictEqual } from "node:util";
import { LRUCache } from "lru-cache";
import type { Task } from "../../domain/task.ts";

/** Fields that differ among tasks of one service. Whatever else a record has, of a later version too, is compared. */
const OWN_FIELDS = new Set<string>([
  "id",
  "createdAt",
  "requestId",
  "traceparent",
  "input",
  "priority",
  "phase",
  "timeline",
] satisfies (keyof Task)[]);

const SERVICES_MAX = 10_000;
/** Where the tasks of a service differ more than that, each of those that find no other takes a record. */
const OF_A_SERVICE_MAX = 16;

export class AlikeBook {
  readonly #byService = new LRUCache<string, Task[]>({ max: SERVICES_MAX });

  /** One that has all fields of `task`, and equal ones but for its own: where there was none, `task`. */
  of(task: Task): Task {
    const known = this.#byService.get(task.serviceId) ?? [];
    const at = known.findIndex((one) => isAlike(one, task));
    const [alike = task] = at < 0 ? [] : known.splice(at, 1);
    if (known.unshift(alike) > OF_A_SERVICE_MAX) known.pop();
    if (at < 0) this.#byService.set(task.serviceId, known);
    return alike;
  }
}

function isAlike(known: Task, task: Task): boolean {
  const fields = Object.keys(task) as (keyof Task)[];
  if (known.input.where !== task.input.where || fields.length !== Object.keys(known).length) return false;
  for (const field of fields) {
    if (!Object.hasOwn(known, field)) return false;
    if (!OWN_FIELDS.has(field) && !isEqual(known[field], task[field])) return false;
  }
  return true;
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && isDeepStrictEqual(a, b));
}
