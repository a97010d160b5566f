/**
 * Tasks in the view. Open ones are few and have complete records; ended ones grow in number and have what a list
 * needs, with complete records of the most recently used.
 */

import type { Logger } from "@elastic/std/log.ts";
import { LRUCache } from "lru-cache";
import { isTerminal, type Task } from "../../domain/task.ts";
import { usageOf } from "../../domain/task-usage.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { EndedEntry, RecordChange, TaskFilter, TaskPage, TaskView } from "../store.ts";
import { EndedWaits } from "./ended-waits.ts";
import { Subscribers } from "./subscribers.ts";
import type { Table } from "./table.ts";
import { type Listed, TaskIndex } from "./task-index.ts";

const RECENT_ENDED_MAX = 10_000;

type EndedTask = Listed & EndedEntry;

export class TaskTable implements TaskView, Table<Task> {
  readonly #open = new Map<string, Versioned<Task>>();
  readonly #ended = new Map<string, EndedTask>();
  readonly #recent: LRUCache<string, Versioned<Task>>;
  #index = new TaskIndex();
  readonly #waits = new EndedWaits();
  /** One string for each team and service, however many tasks name it. */
  readonly #names = new Map<string, string>();
  readonly #subscribers: Subscribers<Task>;

  get endedEntries(): ReadonlyMap<string, EndedEntry> {
    return this.#ended;
  }

  constructor(log: Logger, recentEndedMax: number = RECENT_ENDED_MAX) {
    this.#subscribers = new Subscribers(log);
    this.#recent = new LRUCache({ max: recentEndedMax });
  }

  get(id: string): Versioned<Task> | undefined {
    return this.#open.get(id) ?? this.#recent.get(id);
  }

  values(): Iterable<Versioned<Task>> {
    return this.#open.values();
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

  revisionOf(id: string): number {
    return (this.#open.get(id) ?? this.#ended.get(id))?.revision ?? 0;
  }

  *ids(): Iterable<string> {
    yield* this.#open.keys();
    yield* this.#ended.keys();
  }

  clear(): void {
    this.#index = new TaskIndex();
    this.#open.clear();
    this.#ended.clear();
    this.#recent.clear();
  }

  put(id: string, value: Task, revision: number): void {
    const before = this.get(id);
    const after = { value, revision };
    this.#reindex(id, value);
    if (isTerminal(value.phase)) {
      this.#open.delete(id);
      this.#ended.set(id, { ...this.#listed(value), revision, usage: usageOf(value) });
      this.#recent.set(id, after);
    } else {
      this.#open.set(id, after);
    }
    this.#subscribers.notify({ id, revision, before, after });
    if (isTerminal(value.phase)) this.#waits.settle(id, after);
  }

  remove(id: string, revision: number): void {
    const listed = this.#listedNow(id);
    if (listed === undefined) return;
    const before = this.get(id);
    this.#index.delete(id, listed);
    this.#open.delete(id);
    this.#ended.delete(id);
    this.#recent.delete(id);
    this.#subscribers.notify({ id, revision, before, after: undefined });
    this.#waits.settle(id, null);
  }

  #reindex(id: string, value: Task): void {
    const now = this.#listedNow(id);
    const next = this.#listed(value);
    if (now === undefined) this.#index.add(id, next);
    else this.#index.move(id, now, next);
  }

  #listedNow(id: string): Listed | undefined {
    const open = this.#open.get(id);
    return open === undefined ? this.#ended.get(id) : this.#listed(open.value);
  }

  #listed(task: Task): Listed {
    const { phase } = task;
    return {
      teamId: this.#name(task.teamId),
      serviceId: this.#name(task.serviceId),
      phase: phase.kind,
      reason: "failure" in phase ? phase.failure.reason : null,
    };
  }

  #name(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    this.#names.set(text, text);
    return text;
  }
}
