/**
 * A user's token, sealed for the minutes in which the user may create a repository. It is used for nothing else, and removed
 * when it was used: what a connection may read goes by the app's own tokens.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { GRANT_MS, isGrantExpired, type SourceGrant } from "../domain/source-grant.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { UserToken } from "./source-host.ts";

export function sealGrant(
  secrets: Pick<Secrets, "seal">,
  { token, expiresAt }: UserToken,
  of: { readonly connectionId: string; readonly userId: string },
  now: Instant,
): SourceGrant {
  return {
    id: of.connectionId,
    userId: of.userId,
    sealed: secrets.seal(Buffer.from(token), contextOf(of.connectionId, of.userId)),
    expiresAt: Math.min(expiresAt, now + GRANT_MS),
  };
}

/** Null where it is another user's, or has expired. */
export function openGrant(
  secrets: Pick<Secrets, "open">,
  grant: SourceGrant,
  userId: string,
  now: Instant,
): UserToken | null {
  if (grant.userId !== userId || isGrantExpired(grant, now)) return null;
  const token = secrets.open(grant.sealed, contextOf(grant.id, userId)).toString();
  return { token, expiresAt: grant.expiresAt };
}

function contextOf(connectionId: string, userId: string): string {
  return `source-grant/${connectionId}/${userId}`;
}
