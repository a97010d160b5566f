/** One string for an attempt, token included: two claims of one task never share it. Fit for a file name. */
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";

export type AttemptKey = string;

export function attemptKey(ref: AttemptRef): AttemptKey {
  return `${ref.taskId}-${ref.number}-${ref.token?.storeEpoch ?? 0n}-${ref.token?.revision ?? 0n}`;
}

/** Null for what is no key. */
export function parseAttemptKey(key: string): AttemptRef | null {
  const match = /^([0-9a-f]{32})-(\d{1,9})-(\d{1,20})-(\d{1,20})$/.exec(key);
  if (match === null) return null;
  const [, taskId = "", number, storeEpoch = "", revision = ""] = match;
  return { taskId, number: Number(number), token: { storeEpoch: BigInt(storeEpoch), revision: BigInt(revision) } };
}
