/** Ids of tasks by team, service, phase and reason: what lists are made of. */
import { idRangeOf } from "../../domain/id-range.ts";
import type { TaskFilter, TaskPage, TaskPhaseKind } from "../store.ts";
import { type Facet, facetOf, type ListedAs, listName } from "./listed-as.ts";
import { newestOfAll } from "./newest-of-all.ts";
import { SortedIds } from "./sorted-ids.ts";

export class TaskIndex {
  readonly #lists = new Map<string, SortedIds>();

  add(id: string, { ofAll, ofPhase }: ListedAs): void {
    for (const name of ofAll) this.#put(id, name);
    for (const name of ofPhase) this.#put(id, name);
  }

  delete(id: string, { ofAll, ofPhase }: ListedAs): void {
    for (const name of ofAll) this.#take(id, name);
    for (const name of ofPhase) this.#take(id, name);
  }

  /** A change of phase only: the lists over all phases stay as they are. */
  move(id: string, from: ListedAs, to: ListedAs): void {
    if (from.phase === to.phase) return;
    for (const name of from.ofPhase) this.#take(id, name);
    for (const name of to.ofPhase) this.#put(id, name);
  }

  list(filter: TaskFilter, page: TaskPage): { readonly ids: readonly string[]; readonly total: number } {
    const lists = this.#listsOf(filter);
    const { from, below: before } = idRangeOf(filter);
    const total = countBelow(lists, from, before);
    const { olderThan = null } = page;
    const begin = before === null || (olderThan !== null && olderThan < before) ? olderThan : before;
    const left = begin === before ? total : countBelow(lists, from, begin);
    const limit = Math.min(page.limit, left - page.offset);
    return { ids: limit <= 0 ? [] : newestOfAll(lists, { below: begin, offset: page.offset, limit }), total };
  }

  /** Ids of a service's tasks in a phase, the oldest first. The list must not be changed meanwhile. */
  oldest(teamId: string, serviceId: string, phase: TaskPhaseKind): Iterable<string> {
    return this.#lists.get(listName(teamId, serviceId, phase)) ?? [];
  }

  #listsOf({ teamId, serviceId = "", phases, reason }: TaskFilter): SortedIds[] {
    const facets = reason === undefined ? new Set<Facet>(phases ?? [""]) : [facetOf(reason)];
    return [...facets].flatMap((facet) => this.#lists.get(listName(teamId, serviceId, facet)) ?? []);
  }

  #put(id: string, name: string): void {
    let list = this.#lists.get(name);
    if (list === undefined) {
      list = new SortedIds();
      this.#lists.set(name, list);
    }
    list.add(id);
  }

  #take(id: string, name: string): void {
    const list = this.#lists.get(name);
    list?.delete(id);
    if (list?.size === 0) this.#lists.delete(name);
  }
}

/** How many ids there are from one on and below another; null is no bound. */
function countBelow(lists: readonly SortedIds[], from: string | null, below: string | null): number {
  let count = 0;
  for (const list of lists) {
    count += (from === null ? list.size : list.countFrom(from)) - (below === null ? 0 : list.countFrom(below));
  }
  return Math.max(0, count);
}
