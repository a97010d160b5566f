/** The secret by which requests to a pool's driver are signed: as those of webhooks, so that the same libraries verify it. */
import { randomBytes } from "node:crypto";
import type { PoolSecret } from "../domain/pool.ts";
import type { Secrets } from "./secrets.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export interface NewPoolSecret extends PoolSecret {
  /** Shown once. */
  readonly text: string;
}

export function newPoolSecret(secrets: Pick<Secrets, "seal">, poolId: string): NewPoolSecret {
  const bytes = randomBytes(SECRET_BYTES);
  return { text: PREFIX + bytes.toString("base64"), sealed: secrets.seal(bytes, poolSecretContext(poolId)) };
}

export function openPoolSecret(secrets: Pick<Secrets, "open">, poolId: string, { sealed }: PoolSecret): Buffer {
  return secrets.open(sealed, poolSecretContext(poolId));
}

/** Bound to the pool: one's secret put into another's record does not open. */
export function poolSecretContext(poolId: string): string {
  return `pool-secret/${poolId}`;
}
