/**
 * A store whose commits bring their audit entry along: in the same transaction, so that no change is without its entry
 * and no entry without its change. The entry costs no further round trip. archive/audit-mover.ts moves it from there.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { create } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { type AuditContext, entryOfCommit } from "./entry-of-commit.ts";
import { orderedIds } from "./ordered-ids.ts";

/** `context` says who commits now; null where it is not audited. */
export function auditedStore(store: Store, context: () => AuditContext | null, clock: Pick<Clock, "now">): Store {
  const nextId = orderedIds();
  return {
    epoch: store.epoch,
    blobStoreId: store.blobStoreId,
    view: store.view,
    get: (kind, id) => store.get(kind, id),
    bytes: (of, taskId) => store.bytes(of, taskId),
    commit: (changes, guard) => {
      const who = context();
      const at = clock.now();
      const entry = who && entryOfCommit(who, changes, { id: nextId(at), at });
      return store.commit(entry === null ? changes : [...changes, create("audit-entries", entry)], guard);
    },
    close: () => store.close(),
  };
}
