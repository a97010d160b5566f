/** The store as readers of single tasks want it: what has moved to the archive is still there. */

import type { Clock } from "@elastic/std/clock.ts";
import { isId } from "@elastic/std/ids.ts";
import { LRUCache } from "lru-cache";
import { expiresAt, RECORD_KEPT_MS } from "../domain/retention.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { RecordKind } from "../store/keys.ts";
import type { RecordTypes, Store } from "../store/store.ts";
import type { Archive, ArchivedTask } from "./archive.ts";

/** Whoever reads a record reads its bytes next. */
const RECENT_MAX = 500;

/** Of a task that only the archive has; no commit from it would hold. */
const NO_REVISION = -1;

export function withHistory(store: Store, archive: Pick<Archive, "get">, clock: Clock): Store {
  const recent = new LRUCache<string, ArchivedTask>({ max: RECENT_MAX });

  const archivedTask = async (id: string): Promise<ArchivedTask | null> => {
    const known = recent.get(id);
    if (known !== undefined && !isForgotten(known, clock)) return known;
    const task = isId(id) ? await archive.get(id) : null;
    if (task !== null) recent.set(id, task);
    return task;
  };

  return {
    epoch: store.epoch,
    blobStoreId: store.blobStoreId,
    view: store.view,
    async get<K extends RecordKind>(kind: K, id: string): Promise<Versioned<RecordTypes[K]> | null> {
      const read = await store.get(kind, id);
      if (read !== null || kind !== "tasks") return read;
      const archived = await archivedTask(id);
      return archived && { value: archived.task as RecordTypes[K], revision: NO_REVISION };
    },
    async bytes(of, taskId) {
      return recent.get(taskId)?.[of] ?? (await store.bytes(of, taskId)) ?? (await archivedTask(taskId))?.[of] ?? null;
    },
    commit: (changes, guard) => store.commit(changes, guard),
    close: () => store.close(),
  };
}

function isForgotten({ task }: ArchivedTask, clock: Clock): boolean {
  return (expiresAt(task) ?? 0) + RECORD_KEPT_MS <= clock.now();
}
