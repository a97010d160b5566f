/** A page of several lists of ids as if they were one. A page far down is found without stepping through all above. */
import type { SortedIds } from "./sorted-ids.ts";

export interface IdPage {
  /** Only ids below this one; null is no bound. */
  readonly below: string | null;
  readonly offset: number;
  readonly limit: number;
}

interface Reader {
  readonly list: SortedIds;
  /** So many of the newest are behind. */
  passed: number;
}

/** The greatest first. No id may be in two of the lists. */
export function newestOfAll(lists: readonly SortedIds[], { below, offset, limit }: IdPage): string[] {
  const readers = lists.map((list) => ({ list, passed: below === null ? 0 : list.countFrom(below) }));
  skip(readers, offset);
  const [only] = readers;
  if (only !== undefined && readers.length === 1) return only.list.newest(only.passed, limit);
  const found = readers.flatMap(({ list, passed }) => list.newest(passed, limit));
  return found.sort((a, b) => (a < b ? 1 : -1)).slice(0, limit);
}

/**
 * Takes the same number from each reader into view. Where the last of these is greatest of all, they all come before
 * as many as are to be skipped: that reader passes them. What is left shrinks by its share each time.
 */
function skip(readers: readonly Reader[], count: number): void {
  for (let left = count; left > 0; ) {
    const open = readers.filter(({ list, passed }) => passed < list.size);
    if (open.length === 0) return;
    const stride = Math.floor((left - 1) / open.length) + 1;
    let ahead: Reader | null = null;
    let pivot = "";
    let step = 0;
    for (const reader of open) {
      const steps = Math.min(stride, reader.list.size - reader.passed);
      const [last = ""] = reader.list.newest(reader.passed + steps - 1, 1);
      if (last > pivot) [ahead, pivot, step] = [reader, last, steps];
    }
    if (ahead === null) return;
    ahead.passed += step;
    left -= step;
  }
}
