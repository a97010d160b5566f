/** A new session: its record, and the value of its cookie, which its browser alone keeps. */
import type { Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { type Session, USER_AGENT_LENGTH_MAX } from "../domain/session.ts";
import { sessionText } from "./id-secret-text.ts";
import { hashSecret } from "./key-secret.ts";

export interface MadeSession {
  readonly record: Session;
  readonly cookie: string;
}

export function makeSession(
  of: Pick<Session, "userId" | "defaultTeamId" | "provider"> & { readonly userAgent: string | undefined },
  now: Instant,
): MadeSession {
  const text = sessionText.create(newId(now));
  const record: Session = {
    id: text.id,
    userId: of.userId,
    defaultTeamId: of.defaultTeamId,
    secretSha256: hashSecret(text.secret),
    createdAt: now,
    lastUsedAt: now,
    provider: of.provider,
    userAgent: printable(of.userAgent ?? ""),
  };
  return { record, cookie: sessionText.format(text) };
}

/** Anybody chooses this header: nothing in it may move a cursor or turn the reading. */
function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").slice(0, USER_AGENT_LENGTH_MAX);
}
