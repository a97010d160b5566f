/** A way to log a browser in without a login provider, once. An operator makes it for a user who exists. */
import type { Instant } from "@elastic/std/clock.ts";

export interface LoginLink {
  readonly id: string;
  readonly userId: string;
  /** SHA-256 of the link's secret, lower-case hexadecimal; the link is shown once. */
  readonly secretSha256: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export const LOGIN_LINK_MS = 10 * 60_000;
