/**
 * From the text in `x-api-key` to the key's record. Keys are looked up in the view alone: a request costs the store
 * nothing, and a revoked key is refused as soon as the watch tells, or, when the watch is silent, once the view is
 * older than `VIEW_AGE_MAX_MS`, from when on no key is believed.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type AccessKey, endOfKey } from "../domain/access-key.ts";
import type { View } from "../store/store.ts";
import { secretMatches } from "./key-secret.ts";
import { parseKeyText } from "./key-text.ts";

/** A revocation holds everywhere after this. An idle view is four times as young. */
export const VIEW_AGE_MAX_MS = 1_000;

export type RefusalReason = "missing" | "malformed" | "unknown" | "expired" | "revoked";

export type Authentication =
  | { readonly kind: "key"; readonly key: AccessKey }
  /** `keyId` is that of a key that exists, or of one that is claimed to. */
  | { readonly kind: "refused"; readonly why: RefusalReason; readonly keyId: string | null }
  /** The view is too old to tell. */
  | { readonly kind: "unavailable" };

export function authenticate(
  view: Pick<View, "accessKeys" | "ageMs">,
  text: string | undefined,
  now: Instant,
): Authentication {
  if (text === undefined || text === "") return { kind: "refused", why: "missing", keyId: null };
  const parsed = parseKeyText(text);
  if (parsed === null) return { kind: "refused", why: "malformed", keyId: null };
  if (view.ageMs() > VIEW_AGE_MAX_MS) return { kind: "unavailable" };
  const key = view.accessKeys.get(parsed.id)?.value;
  const matches = secretMatches(parsed.secret, key?.secretSha256 ?? null);
  if (!matches) return { kind: "refused", why: "unknown", keyId: parsed.id };
  return recheck(view, parsed.id, now);
}

/** The same of a key that was told by its secret before: whether it still holds. */
export function recheck(view: Pick<View, "accessKeys" | "ageMs">, keyId: string, now: Instant): Authentication {
  if (view.ageMs() > VIEW_AGE_MAX_MS) return { kind: "unavailable" };
  const key = view.accessKeys.get(keyId)?.value;
  if (key === undefined) return { kind: "refused", why: "unknown", keyId };
  const end = endOfKey(key, now);
  return end === null ? { kind: "key", key } : { kind: "refused", why: end, keyId };
}
