/** What `key enable` and `key revoke` share: one commit a key, with the reason where nothing is changed. */
import type { AccessKey } from "../domain/access-key.ts";
import type { Store } from "../store/store.ts";
import { updateRecord } from "../store/update.ts";

export interface ChangedKeys {
  readonly changed: readonly string[];
  readonly unchanged: readonly { readonly id: string; readonly why: string }[];
}

/**
 * `why`: why a key is not changed; null where it is. A commit each: the audit log names what else a commit changes as ended
 * with the first.
 */
export async function changeKeys(
  store: Store,
  ids: readonly string[],
  { why, become }: { why(key: AccessKey): string | null; become(key: AccessKey): AccessKey },
): Promise<ChangedKeys> {
  const changed: string[] = [];
  const unchanged: { readonly id: string; readonly why: string }[] = [];
  for (const id of new Set(ids)) {
    let reason: string | null = "there is no such key: `key list` shows them";
    await updateRecord(
      store,
      "access-keys",
      () => store.get("access-keys", id),
      (key) => {
        reason = why(key);
        return reason === null ? become(key) : key;
      },
    );
    if (reason === null) changed.push(id);
    else unchanged.push({ id, why: reason });
  }
  return { changed, unchanged };
}

/** Of keys that were not changed, in one sentence each. */
export function describeUnchanged({ unchanged }: ChangedKeys): string {
  return unchanged.map(({ id, why }) => `${id} was not changed: ${why}`).join("\n");
}
