/**
 * A store whose commits bring their audit entries along: in the same transaction, so that no change is without its entry
 * and no entry without its change. They cost no further round trip. archive/audit-mover.ts moves it from there.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { create } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { type AuditContext, entriesOfCommit } from "./entries-of-commit.ts";
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
      const entries = who === null ? [] : entriesOfCommit(who, changes, { nextId: () => nextId(at), at });
      return store.commit([...changes, ...entries.map((entry) => create("audit-entries", entry))], guard);
    },
    close: () => store.close(),
  };
}
