/**
 * A way into the fleet for the machines of a pool: as many as it has uses, until it ends. Which machine it let in stands in
 * that machine's record, so that the same key gets the same response again.
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface PoolToken {
  readonly id: string;
  readonly poolId: string;
  /** SHA-256 of the token's secret, lower-case hexadecimal; the token is shown once. */
  readonly secretSha256: string;
  readonly creatorId: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly usesMax: number;
  /** Machines that it let in. */
  readonly uses: number;
}

export const POOL_TOKEN_SECONDS_DEFAULT = 30 * 86_400;
export const POOL_TOKEN_SECONDS_MAX = 90 * 86_400;
export const POOL_TOKEN_USES_MAX = 10_000;
/** Of one pool. */
export const OPEN_POOL_TOKENS_MAX = 20;

export function isPoolTokenOver({ expiresAt }: PoolToken, now: Instant): boolean {
  return now >= expiresAt;
}
