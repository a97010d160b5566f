/**
 * A way into a team for whoever has its code, once. It is gone when it was used or revoked, and worth nothing once
 * it expired or who made it may no longer give the role.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Role } from "./role.ts";

export interface Invitation {
  readonly id: string;
  readonly teamId: string;
  readonly role: Role;
  /** Who made it. */
  readonly creatorId: string;
  /** SHA-256 of the code's secret, lower-case hexadecimal; the code is shown once. */
  readonly secretSha256: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export const INVITATION_SECONDS_MAX = 7 * 86_400;

export function isOpen(invitation: Invitation, now: Instant): boolean {
  return now < invitation.expiresAt;
}
