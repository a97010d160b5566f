/** Hash and comparison of an access key's secret. The secret is random, so a plain fast hash keeps it. */
import { hash, timingSafeEqual } from "node:crypto";

export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** In constant time. `secretSha256` is null for an unknown key, which then takes as long as a known one. */
export function secretMatches(secret: string, secretSha256: string | null): boolean {
  const actual = Buffer.from(hashSecret(secret), "latin1");
  const expected = Buffer.from(secretSha256 ?? NO_SECRET, "latin1");
  return timingSafeEqual(actual, expected) && secretSha256 !== null;
}

/** Of the length of a hash, and the hash of nothing. */
const NO_SECRET = "0".repeat(64);
