/** What happened in a rotation of the master key, written by compare-and-swap against what the step was judged by. */
import type { Clock } from "@elastic/std/clock.ts";
import { type KeyRotation, type ReadRotation, writeKeyRotation } from "../store/key-rotation.ts";
import type { Kv } from "../store/kv.ts";

export interface KeyPair {
  readonly from: string;
  readonly to: string;
}

export function isOf(rotation: KeyRotation | null, { from, to }: KeyPair): rotation is KeyRotation {
  return rotation?.from === from && rotation.to === to;
}

/** Writes that these have happened to the pair, those that were recorded before as they were. Throws where `read` is outdated. */
export async function recordStep(
  { kv, clock }: { readonly kv: Pick<Kv, "txn">; readonly clock: Pick<Clock, "now"> },
  read: ReadRotation,
  { from, to }: KeyPair,
  happened: readonly ("promotingAt" | "promotedAt" | "retiredAt")[],
): Promise<void> {
  const now = clock.now();
  const begun = { from, to, stagedAt: now, promotingAt: null, promotedAt: null, retiredAt: null };
  const before = isOf(read.rotation, { from, to }) ? read.rotation : begun;
  const next = { ...before, ...Object.fromEntries(happened.map((one) => [one, before[one] ?? now])) };
  if (JSON.stringify(next) === JSON.stringify(read.rotation)) return;
  await writeKeyRotation(kv, read, next);
}
