/** How far the rotation of the master key is, by the ids of the keys: written by the operator's commands alone. */
import type { Instant } from "@elastic/std/clock.ts";
import { KEY_ROTATION_KEY } from "./keys.ts";
import type { Kv } from "./kv.ts";

export interface KeyRotation {
  readonly from: string;
  readonly to: string;
  readonly stagedAt: Instant;
  /** Since when a process may seal with the new key; null before, and left out by commands that did not record it. */
  readonly promotingAt?: Instant | null;
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

export class RotationConflictError extends Error {
  override readonly name = "RotationConflictError";
}

/** Throws a RotationConflictError where another command wrote it since it was read. */
export async function writeKeyRotation(
  kv: Pick<Kv, "txn">,
  { revision }: ReadRotation,
  rotation: KeyRotation,
): Promise<void> {
  const puts = [{ key: KEY_ROTATION_KEY, value: Buffer.from(JSON.stringify(rotation)) }];
  const { applied } = await kv.txn({ compares: [{ key: KEY_ROTATION_KEY, revision }], puts, deletes: [] });
  if (applied) return;
  throw new RotationConflictError(
    "another command changed the rotation at the same time, and nothing was changed by this one: look with `secrets status`",
  );
}

/** Whether something may be sealed with the new key. */
export function isNewKeyInUse({ promotingAt, promotedAt, retiredAt }: KeyRotation): boolean {
  return retiredAt !== null || promotedAt !== null || (promotingAt ?? null) !== null;
}

/**
 * Why a process with these keys, the one that seals first, may not serve: what others sealed would not open there, or what it
 * seals would not open elsewhere or for long. Null for one that may, and where no key was ever rotated.
 */
export function whyKeysDoNotServe(rotation: KeyRotation | null, keyIds: readonly string[]): string | null {
  if (rotation === null) return null;
  const [seals = ""] = keyIds;
  const allowed = keysThatSeal(rotation);
  const missing = keysNeeded(rotation).find((id) => !keyIds.includes(id));
  if (missing !== undefined) {
    const place = allowed.includes(seals) ? "second" : "first";
    const isOld = missing === rotation.from && (rotation.promotedAt ?? null) !== null;
    const use = isOld
      ? "which no longer seals, but opens what it sealed or signed until `secrets retire`"
      : "with which the coordinators of this store seal";
    return (
      `has key ${keyIds.join(", ")} and not key ${missing}, ${use}: ` +
      "copy the key file of another coordinator to this machine, or, where etcd was put back to an earlier copy, put that key's " +
      `line back as the ${place} one; then start again`
    );
  }
  if (allowed.includes(seals)) return null;
  return (
    `has key ${seals} first, which would seal and ${whyNotToSeal(rotation, seals)}: copy the key file of another coordinator to ` +
    `this machine, or put the line of key ${allowed.join(" or ")} first; then start again`
  );
}

function keysNeeded(rotation: KeyRotation): readonly string[] {
  const { from, to, retiredAt } = rotation;
  if (retiredAt !== null) return [to];
  return isNewKeyInUse(rotation) ? [to, from] : [from];
}

/** While a promotion is under way, every process has both. */
function keysThatSeal({ from, to, promotingAt, promotedAt, retiredAt }: KeyRotation): readonly string[] {
  if (retiredAt !== null || promotedAt !== null) return [to];
  return promotingAt === null ? [from] : [from, to];
}

function whyNotToSeal({ from, to, promotedAt, retiredAt }: KeyRotation, seals: string): string {
  if (seals === from && retiredAt !== null) return `was retired on ${new Date(retiredAt).toISOString()}`;
  if (seals === from && promotedAt !== null) return `no longer does since ${new Date(promotedAt).toISOString()}`;
  if (seals === to) return "is staged only, so that others may lack it (`secrets promote` changes that)";
  return "is none of the keys of the last rotation, so that others may lack it";
}
