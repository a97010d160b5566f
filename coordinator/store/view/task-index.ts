/** Ids of tasks by team, service and phase: what lists are made of. */
import type { TaskFilter, TaskPage, TaskPhaseKind } from "../store.ts";
import { newestOfAll } from "./newest-of-all.ts";
import { SortedIds } from "./sorted-ids.ts";

/** What a list needs to know of a task. */
export interface Listed {
  readonly teamId: string;
  readonly serviceId: string;
  readonly phase: TaskPhaseKind;
}

/** Ids begin with the milliseconds of their creation. */
const TIME_DIGITS = 12;
const ID_DIGITS = 32;

export class TaskIndex {
  readonly #lists = new Map<string, SortedIds>();

  add(id: string, task: Listed): void {
    for (const name of namesOf(task)) {
      let list = this.#lists.get(name);
      if (list === undefined) {
        list = new SortedIds();
        this.#lists.set(name, list);
      }
      list.add(id);
    }
  }

  delete(id: string, task: Listed): void {
    for (const name of namesOf(task)) this.#take(id, name);
  }

  /** A change of phase only: the lists over all phases stay as they are. */
  move(id: string, from: Listed, to: Listed): void {
    if (from.phase === to.phase) return;
    this.#take(id, listName(from.teamId, "", from.phase));
    this.#take(id, listName(from.teamId, from.serviceId, from.phase));
    this.add(id, to);
  }

  list(filter: TaskFilter, page: TaskPage): { readonly ids: readonly string[]; readonly total: number } {
    const lists = this.#listsOf(filter);
    const before = filter.createdBefore === undefined ? null : firstIdOf(filter.createdBefore);
    const from = filter.createdFrom === undefined ? null : firstIdOf(filter.createdFrom);
    const total = countBelow(lists, from, before);
    const { olderThan = null } = page;
    const begin = before === null || (olderThan !== null && olderThan < before) ? olderThan : before;
    const left = begin === before ? total : countBelow(lists, from, begin);
    const limit = Math.min(page.limit, left - page.offset);
    return { ids: limit <= 0 ? [] : newestOfAll(lists, { below: begin, offset: page.offset, limit }), total };
  }

  #listsOf({ teamId, serviceId = "", phases }: TaskFilter): SortedIds[] {
    const names = new Set<TaskPhaseKind | "">(phases ?? [""]);
    return [...names].flatMap((phase) => this.#lists.get(listName(teamId, serviceId, phase)) ?? []);
  }

  #take(id: string, name: string): void {
    const list = this.#lists.get(name);
    list?.delete(id);
    if (list?.size === 0) this.#lists.delete(name);
  }
}

function namesOf({ teamId, serviceId, phase }: Listed): string[] {
  return [
    listName(teamId, "", ""),
    listName(teamId, serviceId, ""),
    listName(teamId, "", phase),
    listName(teamId, serviceId, phase),
  ];
}

function listName(teamId: string, serviceId: string, phase: TaskPhaseKind | ""): string {
  return `${teamId}/${serviceId}/${phase}`;
}

/** No id of that millisecond or later is below it. */
function firstIdOf(instant: number): string {
  const digits = Math.min(Math.max(0, instant), 2 ** 48 - 1).toString(16);
  return digits.padStart(TIME_DIGITS, "0").padEnd(ID_DIGITS, "0");
}

/** How many ids there are from one on and below another; null is no bound. */
function countBelow(lists: readonly SortedIds[], from: string | null, below: string | null): number {
  let count = 0;
  for (const list of lists) {
    count += (from === null ? list.size : list.countFrom(from)) - (below === null ? 0 : list.countFrom(below));
  }
  return Math.max(0, count);
}
