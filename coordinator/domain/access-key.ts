/** A named secret in `x-api-key`. Only a hash of the secret is stored; the text is shown once. */
import type { Instant } from "@elastic/std/clock.ts";

export const SCOPES = ["tasks:read", "tasks:write", "services", "keys", "shells", "nodes", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a user of the service needs; `nodes` and `admin` are for those who run it. */
export const USER_SCOPES = [
  "tasks:read",
  "tasks:write",
  "services",
  "keys",
  "shells",
] as const satisfies readonly Scope[];

export const OPERATOR_SCOPES: readonly Scope[] = ["nodes", "admin"];

export interface AccessKey {
  /** Public part, the `<id>` of `eps_<id>_<secret><crc>`. */
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  /** Team the key is bound to; null for all teams of its user. */
  readonly teamId: string | null;
  /** Team of a call that names none. */
  readonly defaultTeamId: string;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the secret, lower-case hexadecimal; the secret has at least 128 random bits. */
  readonly secretSha256: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  /** Id of the key with which it was made; not set where an operator made it. */
  readonly madeBy?: string;
  /** To the minute, and written later; null until it was used. */
  readonly lastUsedAt: Instant | null;
  /** Set in an operator's session only: when its operators' scopes end, which no key that it makes can have. */
  readonly operatorUntil?: Instant;
  /**
   * Set by a restore that could not find out which keys had been revoked since the backup: it opens nothing until an operator
   * confirms it. Left out otherwise.
   */
  readonly disabledAt?: Instant;
}

/** What a new key is made of. */
export type NewAccessKey = Omit<AccessKey, "revokedAt" | "lastUsedAt">;

export function newAccessKey(key: NewAccessKey): AccessKey {
  return { ...key, revokedAt: null, lastUsedAt: null };
}

/** Revoking twice changes nothing. */
export function revoked(key: AccessKey, now: Instant): AccessKey {
  return key.revokedAt === null ? { ...key, revokedAt: now } : key;
}

/** As a restore leaves a key that may have been revoked since; one that has ended stays as it is. */
export function disabled(key: AccessKey, now: Instant): AccessKey {
  return key.revokedAt === null && key.disabledAt === undefined ? { ...key, disabledAt: now } : key;
}

/** An operator confirmed it. */
export function enabled(key: AccessKey): AccessKey {
  const { disabledAt: _, ...rest } = key;
  return rest;
}

/** How long a use may go unwritten. */
export const USE_WRITTEN_EVERY_MS = 60_000;

/** The key with its use at `usedAt`, or null where what is written already is near enough. */
export function used(key: AccessKey, usedAt: Instant): AccessKey | null {
  const isNear = key.lastUsedAt !== null && usedAt - key.lastUsedAt < USE_WRITTEN_EVERY_MS;
  return isNear || key.revokedAt !== null ? null : { ...key, lastUsedAt: usedAt };
}

/** Why a key opens nothing any more; null while it does. */
export function endOfKey(key: AccessKey, now: Instant): "revoked" | "expired" | "disabled" | null {
  if (key.revokedAt !== null && key.revokedAt <= now) return "revoked";
  if (key.expiresAt !== null && key.expiresAt <= now) return "expired";
  if (key.disabledAt !== undefined) return "disabled";
  return null;
}
