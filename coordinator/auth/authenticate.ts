/**
 * From the text in `x-api-key` to the key's record. Keys are looked up in the view alone: a request costs the store
 * nothing, and a revoked key is refused as soon as the watch tells, or, when the watch is silent, once the view is
 * older than `VIEW_AGE_MAX_MS`, from when on no key is believed.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { AccessKey } from "../domain/access-key.ts";
import type { View } from "../store/store.ts";
import { secretMatches } from "./key-secret.ts";
import { parseKeyText } from "./key-text.ts";

/** Within the 5 s in which a revocation must hold everywhere; above the 2 s that a restart of the store may take. */
export const VIEW_AGE_MAX_MS = 4_000;

export type Authentication =
  | { readonly kind: "key"; readonly key: AccessKey }
  | { readonly kind: "refused"; readonly why: "missing" | "malformed" | "unknown" | "expired" | "revoked" }
  /** The view is too old to tell. */
  | { readonly kind: "unavailable" };

export function authenticate(
  view: Pick<View, "accessKeys" | "ageMs">,
  text: string | undefined,
  now: Instant,
): Authentication {
  if (text === undefined || text === "") return { kind: "refused", why: "missing" };
  const parsed = parseKeyText(text);
  if (parsed === null) return { kind: "refused", why: "malformed" };
  if (view.ageMs() > VIEW_AGE_MAX_MS) return { kind: "unavailable" };
  const key = view.accessKeys.get(parsed.id)?.value;
  const matches = secretMatches(parsed.secret, key?.secretSha256 ?? null);
  if (key === undefined || !matches) return { kind: "refused", why: "unknown" };
  if (key.revokedAt !== null && key.revokedAt <= now) return { kind: "refused", why: "revoked" };
  if (key.expiresAt !== null && key.expiresAt <= now) return { kind: "refused", why: "expired" };
  return { kind: "key", key };
}
