/** All complete records of a kind, found by what they belong to too. What a record belongs to never changes. */
import type { Logger } from "@elastic/std/log.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { GroupedView } from "../store.ts";
import { RecordTable } from "./record-table.ts";

export class GroupedTable<T> extends RecordTable<T> implements GroupedView<T> {
  readonly #groupOf: (value: T) => string;
  readonly #groups = new Map<string, Map<string, Versioned<T>>>();

  constructor(log: Logger, groupOf: (value: T) => string) {
    super(log);
    this.#groupOf = groupOf;
  }

  of(group: string): Iterable<Versioned<T>> {
    return this.#groups.get(group)?.values() ?? NONE;
  }

  countOf(group: string): number {
    return this.#groups.get(group)?.size ?? 0;
  }

  groups(): Iterable<string> {
    return this.#groups.keys();
  }

  override clear(): void {
    this.#groups.clear();
    super.clear();
  }

  override put(id: string, value: T, revision: number): void {
    const name = this.#groupOf(value);
    const group = this.#groups.get(name) ?? new Map<string, Versioned<T>>();
    this.#groups.set(name, group);
    group.set(id, { value, revision });
    super.put(id, value, revision);
  }

  override remove(id: string, revision: number): void {
    const record = this.get(id);
    if (record === undefined) return;
    const name = this.#groupOf(record.value);
    const group = this.#groups.get(name);
    group?.delete(id);
    if (group?.size === 0) this.#groups.delete(name);
    super.remove(id, revision);
  }
}

const NONE: readonly never[] = [];
