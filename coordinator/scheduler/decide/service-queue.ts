/**
 * The queued tasks of one service, a lane for each priority, read as one queue by rank (domain/priority.ts). Within a
 * priority the order is that of creation, so tasks arrive at an end whatever their priority; there are only as many
 * lanes as priorities, so the first is found by looking at the front of each.
 */
import { rankOf } from "../../domain/priority.ts";
import type { Task } from "../../domain/task.ts";
import { TaskLane } from "./task-lane.ts";

export interface Ranked {
  readonly id: string;
  readonly read: { readonly value: Pick<Task, "createdAt" | "priority"> };
}

interface Front<T> {
  readonly rest: Iterator<T>;
  task: T;
  rank: number;
}

export class ServiceQueue<T extends Ranked> implements Iterable<T> {
  readonly #lanes = new Map<number, TaskLane<T>>();

  get size(): number {
    let size = 0;
    for (const lane of this.#lanes.values()) size += lane.size;
    return size;
  }

  add(task: T): void {
    const { priority } = task.read.value;
    let lane = this.#lanes.get(priority);
    if (lane === undefined) {
      lane = new TaskLane();
      this.#lanes.set(priority, lane);
    }
    lane.add(task);
  }

  /** Returns whether it was there. */
  remove(id: string): boolean {
    for (const [priority, lane] of this.#lanes) {
      if (!lane.remove(id)) continue;
      if (lane.size === 0) this.#lanes.delete(priority);
      return true;
    }
    return false;
  }

  /** The one of the lowest rank. */
  first(): T | undefined {
    for (const task of this) return task;
    return undefined;
  }

  /** Of the task that waits longest; null where none does. */
  oldestCreatedAt(): number | null {
    let oldest: number | null = null;
    for (const lane of this.#lanes.values()) {
      const first = lane[Symbol.iterator]().next();
      if (first.done) continue;
      const { createdAt } = first.value.read.value;
      if (oldest === null || createdAt < oldest) oldest = createdAt;
    }
    return oldest;
  }

  /** The lowest rank first. The queue must not be changed meanwhile. */
  *[Symbol.iterator](): Iterator<T> {
    const fronts: Front<T>[] = [];
    for (const lane of this.#lanes.values()) {
      const rest = lane[Symbol.iterator]();
      const first = rest.next();
      if (!first.done) fronts.push({ rest, task: first.value, rank: rankOf(first.value.read.value) });
    }
    while (fronts.length > 0) {
      const first = fronts.reduce((best, front) => (isBefore(front, best) ? front : best));
      yield first.task;
      const next = first.rest.next();
      if (next.done) {
        fronts.splice(fronts.indexOf(first), 1);
      } else {
        first.task = next.value;
        first.rank = rankOf(next.value.read.value);
      }
    }
  }
}

function isBefore(a: Front<Ranked>, b: Front<Ranked>): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.task.id < b.task.id);
}
