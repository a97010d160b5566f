/** A delivery of a source host's webhook that was accepted, so that its repetitions change nothing. */
import type { Instant } from "@elastic/std/clock.ts";

/** Hosts redeliver for three days. */
const REMEMBERED_MS = 7 * 24 * 3_600_000;

export interface SourceDelivery {
  readonly id: string;
  readonly receivedAt: Instant;
}

export function isDeliveryForgotten({ receivedAt }: SourceDelivery, now: Instant): boolean {
  return receivedAt + REMEMBERED_MS <= now;
}
