/** Tasks that wait for their first attempt, in a few hundred bytes each: there may be a million. */
import { IdMap } from "@elastic/std/id-map.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { FirstWaits } from "../store.ts";
import { AlikeBook } from "./alike-book.ts";
import { isFirstWait, WaitingTask } from "./waiting-task.ts";

interface Count {
  readonly teamId: string;
  tasks: number;
}

export class WaitingTasks {
  readonly #tasks = new IdMap<WaitingTask>();
  readonly #alike = new AlikeBook();
  readonly #byService = new Map<string, Count>();

  get(id: string): WaitingTask | undefined {
    return this.#tasks.get(id);
  }

  values(): Iterable<WaitingTask> {
    return this.#tasks.values();
  }

  ids(): Iterable<string> {
    return this.#tasks.keys();
  }

  /** Null, and it is not taken, where it is to be held as it is. */
  take(task: Task, revision: number): Versioned<Task> | null {
    if (!isFirstWait(task)) return null;
    const waiting = new WaitingTask(task, revision, this.#alike.of(task));
    this.delete(task.id);
    this.#tasks.set(task.id, waiting);
    const { teamId, serviceId } = waiting.alike;
    const count = this.#byService.get(serviceId);
    if (count === undefined) this.#byService.set(serviceId, { teamId, tasks: 1 });
    else count.tasks++;
    return waiting;
  }

  delete(id: string): void {
    const waiting = this.#tasks.get(id);
    if (waiting === undefined) return;
    this.#tasks.delete(id);
    const { serviceId } = waiting.alike;
    const count = this.#byService.get(serviceId);
    if (count === undefined) return;
    count.tasks--;
    if (count.tasks === 0) this.#byService.delete(serviceId);
  }

  clear(): void {
    this.#tasks.clear();
    this.#byService.clear();
  }

  /** `oldestOf`: the ids of the service's queued tasks, the oldest first; few of them wait again. */
  *byService(oldestOf: (teamId: string, serviceId: string) => Iterable<string>): Iterable<FirstWaits> {
    for (const [serviceId, { teamId, tasks }] of this.#byService) {
      for (const id of oldestOf(teamId, serviceId)) {
        const oldest = this.#tasks.get(id);
        if (oldest === undefined) continue;
        yield { teamId, serviceId, tasks, since: oldest.createdAt };
        break;
      }
    }
  }
}
