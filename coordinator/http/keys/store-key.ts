/** Stores a new key within its user's quota, and forgets the oldest that ended. */
import { type AccessKey, endOfKey } from "../../domain/access-key.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, remove } from "../../store/change.ts";
import type { Change, Store } from "../../store/store.ts";
import { update } from "../../store/update.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";

/** Revoked and expired keys of a user that stay in the list; older ones go as new keys come. */
const ENDED_KEPT_MAX = 100;
/** Of keys that are forgotten, in a commit. */
const REMOVED_MAX = 50;

/** `withIt` is read again for each try, and holds or fails with the key. */
export async function storeKey(
  { store, quotas, clock }: QuotaDeps & Pick<RecordDeps, "store" | "clock">,
  key: AccessKey,
  withIt: () => Promise<readonly Change[]> = async () => [],
): Promise<void> {
  const { open } = keysOf(store, key.userId, clock.now());
  const give = quotas.take("keysPerUser", key.userId, open);
  try {
    await update(store, {
      read: withIt,
      decide: (changes) => {
        const { ended } = keysOf(store, key.userId, clock.now());
        const old = ended.slice(ENDED_KEPT_MAX, ENDED_KEPT_MAX + REMOVED_MAX);
        return [create("access-keys", key), ...old.map((one) => remove("access-keys", one)), ...changes];
      },
    });
  } finally {
    give();
  }
}

/** Throws the refusal where the user can have no further key. */
export function requireRoomForKey(
  { store, quotas, clock }: QuotaDeps & Pick<RecordDeps, "store" | "clock">,
  userId: string,
): void {
  const release = quotas.take("keysPerUser", userId, keysOf(store, userId, clock.now()).open);
  release();
}

/** How many keys of a user open something, or may again, and those that do not, newest first. */
function keysOf({ view }: Store, userId: string, now: number) {
  let open = 0;
  const ended: Versioned<AccessKey>[] = [];
  for (const key of view.accessKeys.values()) {
    if (key.value.userId !== userId) continue;
    const end = endOfKey(key.value, now);
    if (end === null || end === "disabled") open += 1;
    else ended.push(key);
  }
  return { open, ended: ended.sort((a, b) => b.value.createdAt - a.value.createdAt) };
}
