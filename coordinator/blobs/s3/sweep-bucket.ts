/** Removes blobs of a bucket that nothing names, and what broken puts left behind. */
import type { FindNamed, Swept } from "../blob-store.ts";
import type { Bucket, ListedObject, StoredObject } from "./bucket.ts";
import { addressOf, DATA, dataKey, SWEEPING, TEMPORARY, YOUNG, youngKey } from "./keys.ts";
import { announced, REMOVE_WITHIN_MS } from "./sweep-notice.ts";

const REMOVED_AT_ONCE = 8;
/** Object stores report times to the second. */
const PRECISION_MS = 1_000;

export async function sweepBucket(bucket: Bucket, findNamed: FindNamed, olderThanMs: number): Promise<Swept> {
  const before = Date.now() - olderThanMs;
  let blobs = 0;
  let bytes = 0;
  for await (const page of bucket.list(DATA)) {
    const unreferenced = await unreferencedOf(
      page.filter((one) => isOlder(one, before)),
      findNamed,
    );
    if (unreferenced.length === 0) continue;
    for (const size of await announced(bucket, unreferenced, () => removeStillOlder(bucket, unreferenced, before))) {
      blobs++;
      bytes += size;
    }
  }
  for (const left of [TEMPORARY, YOUNG, SWEEPING]) {
    for await (const page of bucket.list(left)) {
      for (const one of page) if (isOlder(one, before)) await bucket.remove(one.key);
    }
  }
  await bucket.abortUploads(TEMPORARY, before);
  return { blobs, bytes };
}

/** Their keys. */
async function unreferencedOf(old: readonly ListedObject[], findNamed: FindNamed): Promise<string[]> {
  const byTeam = Map.groupBy(
    old.flatMap(({ key }) => addressOf(key) ?? []),
    ({ teamId }) => teamId,
  );
  const unreferenced: string[] = [];
  for (const [teamId, blobs] of byTeam) {
    const named = await findNamed(
      teamId,
      blobs.map(({ sha256 }) => sha256),
    );
    unreferenced.push(...blobs.filter(({ sha256 }) => !named.has(sha256)).map(({ sha256 }) => dataKey(teamId, sha256)));
  }
  return unreferenced;
}

/** Returns the sizes of what was removed. */
async function removeStillOlder(bucket: Bucket, keys: readonly string[], before: number): Promise<number[]> {
  const over = AbortSignal.timeout(REMOVE_WITHIN_MS);
  const sizes: number[] = [];
  const left = [...keys];
  const removeSome = async (): Promise<void> => {
    for (let key = left.pop(); key !== undefined && !over.aborted; key = left.pop()) {
      const size = await sizeOfOld(bucket, key, before);
      if (size === null || over.aborted) continue;
      await bucket.remove(key, over);
      sizes.push(size);
    }
  };
  await Promise.all(Array.from({ length: REMOVED_AT_ONCE }, removeSome));
  return sizes;
}

/** Null for what is younger, was made young again, or is gone. */
async function sizeOfOld(bucket: Bucket, key: string, before: number): Promise<number | null> {
  const address = addressOf(key);
  const found = await bucket.head(key);
  if (address === null || found === null || !isOlder(found, before)) return null;
  const mark = await bucket.head(youngKey(address.teamId, address.sha256));
  return mark === null || isOlder(mark, before) ? found.bytes : null;
}

function isOlder({ modifiedAtMs }: Pick<StoredObject, "modifiedAtMs">, before: number): boolean {
  return modifiedAtMs + PRECISION_MS <= before;
}
