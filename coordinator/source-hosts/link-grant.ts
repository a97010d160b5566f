/**
 * A user's token, sealed for the minutes in which the user creates a repository, or chooses one that a host without installations
 * opens by it. It is used for nothing else: what builds read goes by the app's own tokens, or those of single repositories.
 */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import type { SourceConnection } from "../domain/source-connection.ts";
import { GRANT_MS, isGrantExpired, type SourceGrant } from "../domain/source-grant.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Store } from "../store/store.ts";
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
    sealed: secrets.seal(Buffer.from(token), grantContext(of.connectionId, of.userId)),
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
  const token = secrets.open(grant.sealed, grantContext(grant.id, userId)).toString();
  return { token, expiresAt: grant.expiresAt };
}

/** Of the user who linked the connection, for that user alone; null where it is not stored any more. */
export async function keptToken(
  {
    store,
    secrets,
    clock,
  }: {
    readonly store: Pick<Store, "get">;
    readonly secrets: Pick<Secrets, "open">;
    readonly clock: Pick<Clock, "now">;
  },
  { id, userId }: Pick<SourceConnection, "id" | "userId">,
  callerId: string,
): Promise<UserToken | null> {
  if (callerId !== userId) return null;
  const grant = await store.get("source-grants", id);
  return grant === null ? null : openGrant(secrets, grant.value, userId, clock.now());
}

export function grantContext(connectionId: string, userId: string): string {
  return `source-grant/${connectionId}/${userId}`;
}
