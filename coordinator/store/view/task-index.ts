/** Ids of tasks by team, service and public state: what lists are made of. */
import type { TaskFilter, TaskPage } from "../store.ts";
import { SortedIds } from "./sorted-ids.ts";

export type ListedState = "PENDING" | "SUCCESS" | "FAILURE";

/** What a list needs to know of a task. */
export interface Listed {
  readonly teamId: string;
  readonly serviceId: string;
  readonly state: ListedState;
}

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

  /** A change of state only: the lists over all states stay as they are. */
  move(id: string, from: Listed, to: Listed): void {
    if (from.state === to.state) return;
    this.#take(id, listName(from.teamId, "", from.state));
    this.#take(id, listName(from.teamId, from.serviceId, from.state));
    this.add(id, to);
  }

  list(filter: TaskFilter, page: TaskPage): { readonly ids: readonly string[]; readonly total: number } {
    const list = this.#lists.get(listName(filter.teamId, filter.serviceId ?? "", filter.state ?? ""));
    if (list === undefined) return { ids: [], total: 0 };
    const passed = page.olderThan === undefined ? 0 : list.countFrom(page.olderThan);
    return { ids: list.newest(passed + page.offset, page.limit), total: list.size };
  }

  #take(id: string, name: string): void {
    const list = this.#lists.get(name);
    list?.delete(id);
    if (list?.size === 0) this.#lists.delete(name);
  }
}

function namesOf({ teamId, serviceId, state }: Listed): string[] {
  return [
    listName(teamId, "", ""),
    listName(teamId, serviceId, ""),
    listName(teamId, "", state),
    listName(teamId, serviceId, state),
  ];
}

function listName(teamId: string, serviceId: string, state: ListedState | ""): string {
  return `${teamId}/${serviceId}/${state}`;
}
