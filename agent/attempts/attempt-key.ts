/** One string for an attempt, token included: two claims of one task never share it. Fit for a file name. */
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";

export type AttemptKey = string;

export function attemptKey(ref: AttemptRef): AttemptKey {
  return `${ref.taskId}-${ref.number}-${ref.token?.storeEpoch ?? 0n}-${ref.token?.revision ?? 0n}`;
}
