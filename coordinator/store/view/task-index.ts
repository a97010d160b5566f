/** Ids of tasks by team, service, phase and reason: what lists are made of. */
import type { FailureReason } from "../../domain/failure.ts";
import { idRangeOf } from "../../domain/id-range.ts";
import type { TaskFilter, TaskPage, TaskPhaseKind } from "../store.ts";
import { newestOfAll } from "./newest-of-all.ts";
import { SortedIds } from "./sorted-ids.ts";

/** What a list needs to know of a task. */
export interface Listed {
  readonly teamId: string;
  readonly serviceId: string;
  readonly phase: TaskPhaseKind;
  /** Of a task that ended without success. */
  readonly reason: FailureReason | null;
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

  /** A change of phase only: the lists over all phases stay as they are. */
  move(id: string, from: Listed, to: Listed): void {
    if (from.phase === to.phase) return;
    for (const name of phaseNamesOf(from)) this.#take(id, name);
    this.add(id, to);
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

  #listsOf({ teamId, serviceId = "", phases, reason }: TaskFilter): SortedIds[] {
    const facets = reason === undefined ? new Set<Facet>(phases ?? [""]) : [facetOf(reason)];
    return [...facets].flatMap((facet) => this.#lists.get(listName(teamId, serviceId, facet)) ?? []);
  }

  #take(id: string, name: string): void {
    const list = this.#lists.get(name);
    list?.delete(id);
    if (list?.size === 0) this.#lists.delete(name);
  }
}

/** What a list is of, next to team and service; empty for all. */
type Facet = TaskPhaseKind | `reason ${FailureReason}` | "";

/** `cancelled` is a phase and a reason. */
function facetOf(reason: FailureReason): Facet {
  return `reason ${reason}`;
}

function namesOf(task: Listed): string[] {
  return [listName(task.teamId, "", ""), listName(task.teamId, task.serviceId, ""), ...phaseNamesOf(task)];
}

function phaseNamesOf({ teamId, serviceId, phase, reason }: Listed): string[] {
  const facets: readonly Facet[] = reason === null ? [phase] : [phase, facetOf(reason)];
  return facets.flatMap((facet) => [listName(teamId, "", facet), listName(teamId, serviceId, facet)]);
}

function listName(teamId: string, serviceId: string, facet: Facet): string {
  return `${teamId}/${serviceId}/${facet}`;
}

/** How many ids there are from one on and below another; null is no bound. */
function countBelow(lists: readonly SortedIds[], from: string | null, below: string | null): number {
  let count = 0;
  for (const list of lists) {
    count += (from === null ? list.size : list.countFrom(from)) - (below === null ? 0 : list.countFrom(below));
  }
  return Math.max(0, count);
}
