/** A named secret in `x-api-key`. Only a hash of the secret is kept; the text is shown once. */
import type { Instant } from "@elastic/std/clock.ts";

export const SCOPES = ["tasks:read", "tasks:write", "services", "keys", "shells", "nodes", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

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
}
