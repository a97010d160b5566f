/** All complete records of a kind. */
import type { Logger } from "@elastic/std/log.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { RecordChange } from "../store.ts";
import { Subscribers } from "./subscribers.ts";
import type { Table } from "./table.ts";

export class RecordTable<T> implements Table<T> {
  readonly #records = new Map<string, Versioned<T>>();
  readonly #subscribers: Subscribers<T>;

  constructor(log: Logger) {
    this.#subscribers = new Subscribers(log);
  }

  get(id: string): Versioned<T> | undefined {
    return this.#records.get(id);
  }

  values(): Iterable<Versioned<T>> {
    return this.#records.values();
  }

  subscribe(listener: (change: RecordChange<T>) => void): () => void {
    return this.#subscribers.add(listener);
  }

  revisionOf(id: string): number {
    return this.#records.get(id)?.revision ?? 0;
  }

  ids(): Iterable<string> {
    return this.#records.keys();
  }

  clear(): void {
    this.#records.clear();
  }

  put(id: string, value: T, revision: number): void {
    const before = this.#records.get(id);
    const after = { value, revision };
    this.#records.set(id, after);
    this.#subscribers.notify({ id, revision, before, after });
  }

  remove(id: string, revision: number): void {
    const before = this.#records.get(id);
    if (!this.#records.delete(id)) return;
    this.#subscribers.notify({ id, revision, before, after: undefined });
  }
}
