/**
 * What opens one repository of a connection to this service, at a host that has no installations. It stands for as long as a
 * service is built from the repository, and is renewed long before it expires.
 */
import type { Instant } from "@elastic/std/clock.ts";

const DAY_MS = 24 * 3_600_000;
export const CREDENTIAL_DAYS = 30;
const RENEWED_AFTER_MS = 10 * DAY_MS;
/** Between a repository that was created, and a service that is built from it. */
const UNUSED_MS_MAX = 3_600_000;
/** A renewal ends within that; a second one at the same time would end both credentials. */
const RENEWAL_MS_MAX = 10 * 60_000;

export interface SourceCredential {
  readonly id: string;
  readonly connectionId: string;
  readonly repositoryId: string;
  /** Name of the source host in the settings. */
  readonly host: string;
  /** By `secrets`, for this id. */
  readonly sealed: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly renewingSince: Instant | null;
}

export function credentialId(connectionId: string, repositoryId: string): string {
  return `${connectionId}/${repositoryId}`;
}

export function isRenewalDue({ createdAt, renewingSince }: SourceCredential, now: Instant): boolean {
  if (renewingSince !== null && renewingSince + RENEWAL_MS_MAX > now) return false;
  return createdAt + RENEWED_AFTER_MS <= now;
}

/** Whether it has been without a service for longer than it takes to set one. */
export function isUnusedForLong({ createdAt }: SourceCredential, now: Instant): boolean {
  return createdAt + UNUSED_MS_MAX <= now;
}
