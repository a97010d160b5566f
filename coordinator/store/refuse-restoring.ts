/** A store that is being restored is incomplete: nobody may start on it. */
import { RESTORE_KEY } from "./keys.ts";
import type { Kv } from "./kv.ts";

/** A restore has begun and not ended. */
export class StoreRestoringError extends Error {
  override readonly name = "StoreRestoringError";
}

/** Rejects with StoreRestoringError. */
export async function refuseRestoring(kv: Pick<Kv, "read">): Promise<void> {
  const [entry] = (await kv.read([RESTORE_KEY])).entries;
  if (entry === null || entry === undefined) return;
  const { name } = JSON.parse(entry.value.toString("utf8")) as { readonly name?: string };
  throw new StoreRestoringError(
    `a restore from ${name ?? "a backup"} has begun on this etcd and not ended, so that the store is incomplete: wait for its ` +
      "end, or repeat the same elastic-coordinator restore; then start this again",
  );
}
