/** The records that are there and that this program does not understand, with their revisions. */
import type { WatchedKind } from "../keys.ts";

export interface UnreadableRecord {
  readonly revision: number;
  /** No program of any version reads it; otherwise a later version wrote it. */
  readonly isMalformed: boolean;
}

export class UnreadableRecords {
  readonly #records = new Map<WatchedKind, Map<string, UnreadableRecord>>();
  #size = 0;

  set(kind: WatchedKind, id: string, record: UnreadableRecord): void {
    const ofKind = this.#records.get(kind) ?? new Map<string, UnreadableRecord>();
    if (!ofKind.has(id)) this.#size++;
    this.#records.set(kind, ofKind.set(id, record));
  }

  delete(kind: WatchedKind, id: string): void {
    if (this.#size > 0 && this.#records.get(kind)?.delete(id)) this.#size--;
  }

  /** 0 for one that is not among them. */
  revisionOf(kind: WatchedKind, id: string): number {
    return this.#size === 0 ? 0 : (this.#records.get(kind)?.get(id)?.revision ?? 0);
  }

  ids(kind: WatchedKind): Iterable<string> {
    return this.#records.get(kind)?.keys() ?? [];
  }

  /** Mostly there are none, and each task checks that several times. */
  count(kinds: readonly WatchedKind[]): number {
    if (this.#size === 0) return 0;
    return kinds.reduce((sum, kind) => sum + (this.#records.get(kind)?.size ?? 0), 0);
  }

  malformed(kinds: readonly WatchedKind[]): number {
    if (this.#size === 0) return 0;
    const all = kinds.flatMap((kind) => [...(this.#records.get(kind)?.values() ?? [])]);
    return all.filter(({ isMalformed }) => isMalformed).length;
  }

  clear(): void {
    this.#records.clear();
    this.#size = 0;
  }
}
