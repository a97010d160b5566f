/** Removes what a deleted user had. Called until nothing is left, as for teams (deleted-teams.ts). */
import type { Clock } from "@elastic/std/clock.ts";
import type { User } from "../domain/team.ts";
import type { Versioned } from "../domain/versioned.ts";
import { remove } from "../store/change.ts";
import { commitEach } from "../store/commit-each.ts";
import type { Store } from "../store/store.ts";
import { changesOfUser } from "./user-changes.ts";

export interface RemoveUserOptions {
  readonly store: Pick<Store, "commit" | "view">;
  readonly clock: Pick<Clock, "now">;
  /** For so long a mark stays. */
  readonly auditRetentionMs: number;
}

/** One round. Returns how many records were removed; with none left, the mark follows at its time. */
export async function removeOfDeletedUser(
  { store, clock, auditRetentionMs }: RemoveUserOptions,
  user: Versioned<User>,
): Promise<number> {
  const { id, deleted } = user.value;
  if (deleted === undefined) return 0;
  const changes = changesOfUser(store.view, id);
  const removed = await commitEach(
    store,
    changes.map((change) => [change]),
  );
  if (changes.length === 0 && deleted.at <= clock.now() - auditRetentionMs) await store.commit([remove("users", user)]);
  return removed;
}
