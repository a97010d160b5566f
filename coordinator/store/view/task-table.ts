/**
 * Tasks in the view. Those that run, or ran and wait again, are few and have complete records; those that wait for their first
 * attempt may be many and are held as differences (waiting-task.ts); ended ones grow in number and have what a list needs, with
 * complete records of the most recently used.
 */

import type { Logger } from "@elastic/std/log.ts";
import { LRUCache } from "lru-cache";
import { isTerminal, type Task } from "../../domain/task.ts";
import { usageOf } from "../../domain/task-usage.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { EndedEntry, FirstWaits, RecordChange, TaskFilter, TaskPage, TaskView } from "../store.ts";
import { EndedWaits } from "./ended-waits.ts";
import { type ListedAs, ListedAsBook } from "./listed-as.ts";
import { Subscribers } from "./subscribers.ts";
import type { Table } from "./table.ts";
import { TaskIndex } from "./task-index.ts";
import { WaitingTasks } from "./waiting-tasks.ts";

const RECENT_ENDED_MAX = 10_000;
const NOTHING_WAITS = () => undefined;

interface EndedTask extends EndedEntry {
  readonly listed: ListedAs;
}

export class TaskTable implements TaskView, Table<Task> {
  readonly #begun = new Map<string, Versioned<Task>>();
  readonly #waiting = new WaitingTasks();
  readonly #ended = new Map<string, EndedTask>();
  readonly #recent: LRUCache<string, Versioned<Task>>;
  #index = new TaskIndex();
  readonly #waits = new EndedWaits();
  readonly #listedAs = new ListedAsBook();
  readonly #subscribers: Subscribers<Task>;

  get endedEntries(): ReadonlyMap<string, EndedEntry> {
    return this.#ended;
  }

  constructor(log: Logger, recentEndedMax: number = RECENT_ENDED_MAX) {
    this.#subscribers = new Subscribers(log);
    this.#recent = new LRUCache({ max: recentEndedMax });
  }

  get(id: string): Versioned<Task> | undefined {
    return this.#begun.get(id) ?? this.#waiting.get(id) ?? this.#recent.get(id);
  }

  *values(): Iterable<Versioned<Task>> {
    yield* this.#begun.values();
    yield* this.#waiting.values();
  }

  begun(): Iterable<Versioned<Task>> {
    return this.#begun.values();
  }

  firstWaits(): Iterable<FirstWaits> {
    return this.#waiting.byService((teamId, serviceId) => this.#index.oldest(teamId, serviceId, "queued"));
  }

  subscribe(listener: (change: RecordChange<Task>) => void): () => void {
    return this.#subscribers.add(listener);
  }

  list(filter: TaskFilter, page: TaskPage) {
    return this.#index.list(filter, page);
  }

  async ended(id: string, signal: AbortSignal): Promise<Versioned<Task> | null> {
    if (this.#ended.has(id)) return this.#recent.get(id) ?? null;
    return this.#waits.wait(id, signal);
  }

  onceEnded(id: string, listener: (task: Versioned<Task> | null) => void): () => void {
    if (!this.#ended.has(id)) return this.#waits.add(id, listener);
    listener(this.#recent.get(id) ?? null);
    return NOTHING_WAITS;
  }

  revisionOf(id: string): number {
    return (this.#begun.get(id) ?? this.#waiting.get(id) ?? this.#ended.get(id))?.revision ?? 0;
  }

  *ids(): Iterable<string> {
    yield* this.#begun.keys();
    yield* this.#waiting.ids();
    yield* this.#ended.keys();
  }

  clear(): void {
    this.#index = new TaskIndex();
    this.#begun.clear();
    this.#waiting.clear();
    this.#ended.clear();
    this.#recent.clear();
  }

  put(of: string, value: Task, revision: number): void {
    // The record's, since the other may be a part of a longer string.
    const id = of === value.id ? value.id : of;
    const before = this.get(id);
    const listed = this.#listed(value);
    this.#reindex(id, listed);
    const after = this.#hold(id, value, revision, listed);
    this.#subscribers.notify({ id, revision, before, after });
    if (isTerminal(value.phase)) this.#waits.settle(id, after);
  }

  remove(id: string, revision: number): void {
    const listed = this.#listedNow(id);
    if (listed === undefined) return;
    const before = this.get(id);
    this.#index.delete(id, listed);
    this.#begun.delete(id);
    this.#waiting.delete(id);
    this.#ended.delete(id);
    this.#recent.delete(id);
    this.#subscribers.notify({ id, revision, before, after: undefined });
    this.#waits.settle(id, null);
  }

  #hold(id: string, value: Task, revision: number, listed: ListedAs): Versioned<Task> {
    if (value.phase.kind === "queued" && id === value.id) {
      const waiting = this.#waiting.take(value, revision);
      if (waiting !== null) {
        this.#begun.delete(id);
        return waiting;
      }
    }
    const after = { value, revision };
    this.#waiting.delete(id);
    if (isTerminal(value.phase)) {
      this.#begun.delete(id);
      // One string for each team and service, however many tasks name it.
      const { teamId, serviceId } = listed;
      this.#ended.set(id, { teamId, serviceId, revision, usage: usageOf(value), listed });
      this.#recent.set(id, after);
    } else {
      this.#begun.set(id, after);
    }
    return after;
  }

  #reindex(id: string, next: ListedAs): void {
    const now = this.#listedNow(id);
    if (now === undefined) this.#index.add(id, next);
    else this.#index.move(id, now, next);
  }

  #listedNow(id: string): ListedAs | undefined {
    const begun = this.#begun.get(id);
    if (begun !== undefined) return this.#listed(begun.value);
    const waiting = this.#waiting.get(id);
    return waiting === undefined ? this.#ended.get(id)?.listed : this.#listedWaiting(waiting.alike);
  }

  #listedWaiting({ teamId, serviceId }: Pick<Task, "teamId" | "serviceId">): ListedAs {
    return this.#listedAs.of(teamId, serviceId, "queued", null);
  }

  #listed({ teamId, serviceId, phase }: Task): ListedAs {
    return this.#listedAs.of(teamId, serviceId, phase.kind, "failure" in phase ? phase.failure.reason : null);
  }
}
