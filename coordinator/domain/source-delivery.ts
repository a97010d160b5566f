/** A delivery of a source host's webhook that was accepted, so that its repetitions change nothing. */
import type { Instant } from "@elastic/std/clock.ts";

const DAY_MS = 24 * 3_600_000;
/** Hosts redeliver for three days. */
const PUSH_AGE_MS_MAX = 4 * DAY_MS;
/** Longer than a push is accepted, so that none is accepted twice. */
const REMEMBERED_MS = 7 * DAY_MS;

export interface SourceDelivery {
  readonly id: string;
  readonly receivedAt: Instant;
}

export function isDeliveryForgotten({ receivedAt }: SourceDelivery, now: Instant): boolean {
  return receivedAt + REMEMBERED_MS <= now;
}

/** Whether the push is one that nobody remembers any more. */
export function isPushTooOld(pushedAt: Instant, now: Instant): boolean {
  return pushedAt + PUSH_AGE_MS_MAX <= now;
}
