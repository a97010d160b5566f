/**
 * What a client's idempotency key made. Written in the commit that makes it, so that there is one if and only if there
 * is the other, whoever races and whatever response is lost.
 */
import type { Instant } from "@elastic/std/clock.ts";

/** For so long at least the same key means the same task. */
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;

export interface IdempotencyNote {
  /** The team, a slash, and the digest of the key. */
  readonly id: string;
  /** What it made: a task, or a record of another kind (http/idempotency/create-once.ts); of a batch its first task. */
  readonly taskId: string;
  readonly batchId?: string;
  /** Of the entire request, in lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly createdAt: Instant;
}

export function isForgotten({ createdAt }: IdempotencyNote, now: Instant): boolean {
  return now - createdAt >= IDEMPOTENCY_KEPT_MS;
}
