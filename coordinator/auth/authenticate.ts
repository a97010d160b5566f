/**
 * From the text in `x-api-key`, or in a session's cookie, to what it may do. Both are looked up in the view alone: a
 * request costs the store nothing, and what was revoked is rejected as soon as the watch reports it, or, when the watch
 * is silent, once the view is older than `VIEW_AGE_MAX_MS`, from when on nothing is accepted.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type AccessKey, endOfKey } from "../domain/access-key.ts";
import { endOfSession, keyOfSession } from "../domain/session.ts";
import type { View } from "../store/store.ts";
import { sessionText } from "./id-secret-text.ts";
import { secretMatches } from "./key-secret.ts";
import { parseKeyText } from "./key-text.ts";

/** A revocation holds everywhere after this. An idle view is four times as young. */
export const VIEW_AGE_MAX_MS = 1_000;

export type RefusalReason = "missing" | "contradictory" | "malformed" | "unknown" | "expired" | "revoked" | "disabled";

type AuthenticationView = Pick<View, "accessKeys" | "sessions" | "teams" | "users" | "ageMs">;

export type Authentication =
  | { readonly kind: "key"; readonly key: AccessKey }
  /** `keyId` is that of a key that exists, or of one that is claimed to. */
  | { readonly kind: "refused"; readonly why: RefusalReason; readonly keyId: string | null }
  /** The view is too old to decide. */
  | { readonly kind: "unavailable" };

export function authenticate(view: AuthenticationView, text: string | undefined, now: Instant): Authentication {
  if (text === undefined || text === "") return { kind: "refused", why: "missing", keyId: null };
  const parsed = parseKeyText(text);
  if (parsed === null) return { kind: "refused", why: "malformed", keyId: null };
  if (view.ageMs() > VIEW_AGE_MAX_MS) return { kind: "unavailable" };
  const key = view.accessKeys.get(parsed.id)?.value;
  const matches = secretMatches(parsed.secret, key?.secretSha256 ?? null);
  if (!matches) return { kind: "refused", why: "unknown", keyId: parsed.id };
  return recheck(view, parsed.id, now);
}

/** The same for the value of a session's cookie. */
export function authenticateSession(view: AuthenticationView, text: string, now: Instant): Authentication {
  const parsed = sessionText.parse(text);
  if (parsed === null) return { kind: "refused", why: "malformed", keyId: null };
  if (view.ageMs() > VIEW_AGE_MAX_MS) return { kind: "unavailable" };
  const session = view.sessions.get(parsed.id)?.value;
  const matches = secretMatches(parsed.secret, session?.secretSha256 ?? null);
  if (!matches) return { kind: "refused", why: "unknown", keyId: parsed.id };
  return recheck(view, parsed.id, now);
}

/** Whether a key or session whose secret was checked before is still valid. */
export function recheck(view: AuthenticationView, keyId: string, now: Instant): Authentication {
  if (view.ageMs() > VIEW_AGE_MAX_MS) return { kind: "unavailable" };
  const session = view.sessions.get(keyId)?.value;
  if (session !== undefined) {
    if (endOfSession(session) <= now) return { kind: "refused", why: "expired", keyId };
    const user = view.users.get(session.userId)?.value;
    if (user?.deleted !== undefined) return { kind: "refused", why: "revoked", keyId };
    return { kind: "key", key: keyOfSession(session, user, now) };
  }
  const key = view.accessKeys.get(keyId)?.value;
  if (key === undefined) return { kind: "refused", why: "unknown", keyId };
  const team = key.teamId === null ? undefined : view.teams.get(key.teamId)?.value;
  const deleted = team?.deleted ?? view.users.get(key.userId)?.value.deleted;
  const end = deleted === undefined ? endOfKey(key, now) : "revoked";
  return end === null ? { kind: "key", key } : { kind: "refused", why: end, keyId };
}
