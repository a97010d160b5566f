/** How far the rotation of the master key is, by the ids of the keys: written by the operator's commands alone. */
import type { Instant } from "@elastic/std/clock.ts";
import { KEY_ROTATION_KEY } from "./keys.ts";
import type { Kv } from "./kv.ts";

export interface KeyRotation {
  readonly from: string;
  readonly to: string;
  readonly stagedAt: Instant;
  /** Since when every process seals with the new key; null before. */
  readonly promotedAt: Instant | null;
  /** When the old key was taken out of the file; null before. */
  readonly retiredAt: Instant | null;
}

export interface ReadRotation {
  readonly rotation: KeyRotation | null;
  readonly revision: number;
}

export async function readKeyRotation(kv: Pick<Kv, "read">): Promise<ReadRotation> {
  const [entry] = (await kv.read([KEY_ROTATION_KEY])).entries;
  if (entry === null || entry === undefined) return { rotation: null, revision: 0 };
  return { rotation: JSON.parse(entry.value.toString("utf8")) as KeyRotation, revision: entry.revision };
}

/** Throws where another command wrote it since it was read. */
export async function writeKeyRotation(
  kv: Pick<Kv, "txn">,
  { revision }: ReadRotation,
  rotation: KeyRotation,
): Promise<void> {
  const puts = [{ key: KEY_ROTATION_KEY, value: Buffer.from(JSON.stringify(rotation)) }];
  const { applied } = await kv.txn({ compares: [{ key: KEY_ROTATION_KEY, revision }], puts, deletes: [] });
  if (!applied) throw new Error("another command rotates the key at the same time: look with `secrets status`");
}

/**
 * Why a process with these keys may not serve: what others sealed would not open there. Null for one that may, and where
 * no key was ever rotated.
 */
export function whyKeysDoNotServe(rotation: KeyRotation | null, keyIds: readonly string[]): string | null {
  if (rotation === null) return null;
  const { from, to, promotedAt, retiredAt } = rotation;
  const needed = retiredAt !== null ? [to] : promotedAt !== null ? [to, from] : [from];
  const missing = needed.find((id) => !keyIds.includes(id));
  if (missing === undefined) return null;
  return (
    `has key ${keyIds.join(", ")} and not key ${missing}, with which the coordinators of this store seal: ` +
    "copy the key file of another coordinator to this machine, or, where etcd was put back to an earlier copy, put that key's " +
    "line back as the second one; then start again"
  );
}
