/**
 * A browser that is logged in. It acts for its user as an access key for all of the user's teams would, until it ends;
 * what has ended has no record.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type AccessKey, OPERATOR_SCOPES, USER_SCOPES } from "./access-key.ts";
import type { User } from "./team.ts";

export interface Session {
  readonly id: string;
  readonly userId: string;
  /** Team of a call that names none. */
  readonly defaultTeamId: string;
  /** SHA-256 of the cookie's secret, lower-case hexadecimal. */
  readonly secretSha256: string;
  readonly createdAt: Instant;
  /** To the minute, and written later. */
  readonly lastUsedAt: Instant;
  /** What the user logged in with: `login-link`, or the name of a provider. */
  readonly provider: string;
  /** As the browser names itself, for a person who looks through their sessions. */
  readonly userAgent: string;
}

export const SESSION_IDLE_MS = 12 * 3_600_000;
export const SESSION_AGE_MS_MAX = 7 * 86_400_000;
/** A further login ends the session that was used least recently. */
export const SESSIONS_PER_USER = 20;
export const USER_AGENT_LENGTH_MAX = 200;
/** How long after a login an operator's session has the operators' scopes. */
export const OPERATOR_LOGIN_MS = 3_600_000;

export function endOfSession({ createdAt, lastUsedAt }: Session): Instant {
  return Math.min(createdAt + SESSION_AGE_MS_MAX, lastUsedAt + SESSION_IDLE_MS);
}

/** How long a use may go unwritten. */
const USE_WRITTEN_EVERY_MS = 60_000;

/** The session with its use at `usedAt`, or null where what is written already is near enough. */
export function sessionUsed(session: Session, usedAt: Instant): Session | null {
  return usedAt - session.lastUsedAt < USE_WRITTEN_EVERY_MS ? null : { ...session, lastUsedAt: usedAt };
}

/** The key as which a session's requests are checked at `now`. It is never stored, and its secret opens nothing. */
export function keyOfSession(session: Session, user: Pick<User, "operator"> | undefined, now: Instant): AccessKey {
  const key: AccessKey = {
    id: session.id,
    name: "console",
    userId: session.userId,
    teamId: null,
    defaultTeamId: session.defaultTeamId,
    scopes: USER_SCOPES,
    secretSha256: session.secretSha256,
    createdAt: session.createdAt,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: session.lastUsedAt,
  };
  if (user?.operator !== true) return key;
  const operatorUntil = session.createdAt + OPERATOR_LOGIN_MS;
  const scopes = now < operatorUntil ? [...USER_SCOPES, ...OPERATOR_SCOPES] : USER_SCOPES;
  return { ...key, scopes, operatorUntil };
}
