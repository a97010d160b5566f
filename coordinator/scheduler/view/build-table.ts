/** The part of the scheduler's view that is about builds: each next to what it holds, and those to look at again. */
import type { Assignment, BuildAssignment } from "../../domain/assignment.ts";
import { type Build, isOpen } from "../../domain/build.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { BuildEntry, BuildPlace, NodeEntry } from "../decide/entries.ts";

export class BuildTable {
  /** Open ones, and ended ones whose assignment is still there. */
  readonly #entries = new Map<string, BuildEntry>();
  readonly #places = new Map<string, BuildPlace>();
  /** Where each team's layers are: the node of its last run. */
  readonly #nodeOfTeam = new Map<string, string>();
  readonly #lastRunOfTeam = new Map<string, number>();
  #dirty = new Set<BuildEntry>();

  takeDirty(): ReadonlySet<BuildEntry> {
    const dirty = this.#dirty;
    this.#dirty = new Set();
    return dirty;
  }

  touch(build: BuildEntry): void {
    this.#dirty.add(build);
  }

  touchAll(): void {
    for (const build of this.#entries.values()) this.#dirty.add(build);
  }

  /** Null where the team has built nothing yet. */
  nodeOfTeam(teamId: string): string | null {
    return this.#nodeOfTeam.get(teamId) ?? null;
  }

  /** When the team's newest run began; 0 for none. */
  lastRunOf(teamId: string): number {
    return this.#lastRunOfTeam.get(teamId) ?? 0;
  }

  put(id: string, read: Versioned<Build> | undefined): void {
    if (read?.value.nodeId != null) this.#nodeOfTeam.set(read.value.teamId, read.value.nodeId);
    if (read?.value.startedAt != null && read.value.runs > 0) {
      this.#lastRunOfTeam.set(read.value.teamId, Math.max(this.lastRunOf(read.value.teamId), read.value.startedAt));
    }
    const known = this.#entries.get(id);
    if (known === undefined && (read === undefined || !isOpen(read.value))) return;
    const entry = known ?? this.#entry(id);
    entry.read = read ?? null;
    this.#dirty.add(entry);
    this.#forget(entry);
  }

  putPlace(read: Versioned<Assignment>, value: BuildAssignment, node: NodeEntry): void {
    const place = this.#places.get(value.id) ?? this.plan(value, node);
    place.read = read;
    this.#dirty.add(place.build);
  }

  /** Returns whether the assignment was a build's. What waits may have its place now. */
  removePlace(id: string): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    this.#drop(place);
    return true;
  }

  /** An assignment that is being created holds its place already. */
  plan(value: BuildAssignment, node: NodeEntry): BuildPlace {
    const build = this.#entry(value.workload.buildId);
    const place: BuildPlace = { id: value.id, build, node, value, read: null };
    this.#places.set(value.id, place);
    build.places.add(place);
    node.builds.add(place);
    return place;
  }

  unplan(place: BuildPlace): void {
    if (place.read === null) this.#drop(place);
  }

  #drop(place: BuildPlace): void {
    this.#places.delete(place.id);
    place.build.places.delete(place);
    place.node.builds.delete(place);
    this.touchAll();
    this.#forget(place.build);
  }

  #forget(entry: BuildEntry): void {
    const isOver = entry.read === null || !isOpen(entry.read.value);
    if (isOver && entry.places.size === 0) this.#entries.delete(entry.id);
  }

  #entry(id: string): BuildEntry {
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      entry = { id, read: null, places: new Set(), pending: false };
      this.#entries.set(id, entry);
    }
    return entry;
  }
}
