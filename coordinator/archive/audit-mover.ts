/**
 * Moves audit entries from the store, where the commits that they are of have put them, to the archive: put there
 * first, then removed here. Whoever leads next repeats it, which is idempotent.
 */
import { remove } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import type { Archive } from "./archive.ts";

/** One transaction of the store removes them. */
const BATCH_ENTRIES = 100;

export interface AuditMoverOptions {
  readonly store: { readonly view: Pick<Store["view"], "auditEntries">; commit: Store["commit"] };
  readonly archive: Pick<Archive, "putAudit">;
}

/** `continues` ends it between two batches. */
export async function moveAuditEntries({ store, archive }: AuditMoverOptions, continues: () => boolean): Promise<void> {
  while (continues()) {
    const batch = firstOf(store.view.auditEntries.values(), BATCH_ENTRIES);
    if (batch.length === 0) return;
    await archive.putAudit(batch.map(({ value }) => value));
    const outcome = await store.commit(batch.map((entry) => remove("audit-entries", entry)));
    // Another that leads has removed some: the next turn sees which.
    if (outcome.kind === "conflict") return;
  }
}

function firstOf<T>(values: Iterable<T>, count: number): readonly T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length >= count) break;
    first.push(value);
  }
  return first;
}
