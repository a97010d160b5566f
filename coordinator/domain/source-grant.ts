/**
 * The token of a user who has just linked an account, for creating one repository there: an app's own tokens can create none
 * in a user's account.
 */
import type { Instant } from "@elastic/std/clock.ts";

/** To choose a template and its name. */
export const GRANT_MS = 15 * 60_000;

export interface SourceGrant {
  /** That of the connection. */
  readonly id: string;
  readonly userId: string;
  /** By `secrets`, for this connection and user. */
  readonly sealed: string;
  readonly expiresAt: Instant;
}

export function isGrantExpired({ expiresAt }: Pick<SourceGrant, "expiresAt">, now: Instant): boolean {
  return expiresAt <= now;
}
