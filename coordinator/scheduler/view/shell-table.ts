/** The part of the scheduler's view that is about shells: each with what it holds, and those to look at again. */
import type { Assignment, ShellAssignment, Workload } from "../../domain/assignment.ts";
import type { Shell } from "../../domain/shell.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { NodeEntry, ShellEntry, ShellPlace } from "../decide/entries.ts";

export class ShellTable {
  readonly #entries = new Map<string, ShellEntry>();
  readonly #places = new Map<string, ShellPlace>();
  #dirty = new Set<ShellEntry>();

  /** Shells in which something changed since the last call. */
  takeDirty(): ReadonlySet<ShellEntry> {
    const dirty = this.#dirty;
    this.#dirty = new Set();
    return dirty;
  }

  touch(shell: ShellEntry): void {
    this.#dirty.add(shell);
  }

  touchAll(): void {
    for (const shell of this.#entries.values()) this.#dirty.add(shell);
  }

  put(id: string, read: Versioned<Shell> | undefined): void {
    const entry = this.#entry(id);
    entry.read = read ?? null;
    this.#dirty.add(entry);
    this.#forget(entry);
  }

  putPlace(read: Versioned<Assignment>, value: ShellAssignment, node: NodeEntry): void {
    const place = this.#places.get(value.id) ?? this.plan(value, node);
    place.read = read;
    this.#dirty.add(place.shell);
  }

  /** Returns whether the assignment was a shell's. */
  removePlace(id: string): boolean {
    const place = this.#places.get(id);
    if (place !== undefined) this.#drop(place);
    return place !== undefined;
  }

  putWorkload(id: string, read: Versioned<Workload> | undefined): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    place.workload = read ?? null;
    this.#dirty.add(place.shell);
  }

  /** An assignment that is being created holds its room already. */
  plan(value: ShellAssignment, node: NodeEntry): ShellPlace {
    const shell = this.#entry(value.workload.shellId);
    const place: ShellPlace = { id: value.id, shell, node, value, read: null, workload: null };
    this.#places.set(value.id, place);
    shell.places.add(place);
    node.shells.add(place);
    return place;
  }

  unplan(place: ShellPlace): void {
    if (place.read === null) this.#drop(place);
  }

  #drop(place: ShellPlace): void {
    this.#places.delete(place.id);
    place.shell.places.delete(place);
    place.node.shells.delete(place);
    this.#dirty.add(place.shell);
    this.#forget(place.shell);
  }

  #forget(entry: ShellEntry): void {
    if (entry.read === null && entry.places.size === 0) this.#entries.delete(entry.id);
  }

  #entry(id: string): ShellEntry {
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      entry = { id, read: null, places: new Set(), pending: false };
      this.#entries.set(id, entry);
    }
    return entry;
  }
}
