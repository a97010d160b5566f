/** What the view keeps of one kind of record; written by own commits and by the feed alone. */
import type { RecordView } from "../store.ts";

export interface Table<T> extends RecordView<T> {
  /** Revision of what is known under the id; 0 for nothing. */
  revisionOf(id: string): number;
  put(id: string, value: T, revision: number): void;
  remove(id: string, revision: number): void;
  ids(): Iterable<string>;
  /** Without notifying anybody. */
  clear(): void;
}
