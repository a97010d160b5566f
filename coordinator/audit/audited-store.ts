/**
 * A store whose commits bring their audit entries along: in the same transaction, so that no change is without its entry
 * and no entry without its change. They cost no further round trip. archive/audit-mover.ts moves it from there.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { create } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { AuditChain } from "./audit-chain.ts";
import { type AuditContext, entriesOfCommit } from "./entries-of-commit.ts";
import { orderedIds } from "./ordered-ids.ts";

/** `context` says who commits now; null where it is not audited. */
export function auditedStore(store: Store, context: () => AuditContext | null, clock: Pick<Clock, "now">): Store {
  const nextId = orderedIds();
  const chain = new AuditChain();
  for (const { value } of store.view.auditEntries.values()) chain.seen(value.id);
  store.view.auditEntries.subscribe(({ id, before, after }) => {
    if (before === undefined && after !== undefined) chain.seen(id);
  });
  return {
    epoch: store.epoch,
    blobStoreId: store.blobStoreId,
    view: store.view,
    get: (kind, id) => store.get(kind, id),
    bytes: (of, taskId) => store.bytes(of, taskId),
    commit: async (changes, guard) => {
      const who = context();
      if (who === null) return store.commit(changes, guard);
      const at = clock.now();
      const [first, ...others] = entriesOfCommit(who, changes, { nextId: () => nextId(at), at });
      if (first === undefined) return await store.commit(changes, guard);
      let follows = chain.take();
      try {
        const entries = [follows.length === 0 ? first : { ...first, follows }, ...others];
        const creations = entries.map((entry) => create("audit-entries", entry));
        const outcome = await store.commit([...changes, ...creations], guard);
        if (outcome.kind === "committed") follows = [];
        return outcome;
      } finally {
        chain.putBack(follows);
      }
    },
    close: () => store.close(),
  };
}
