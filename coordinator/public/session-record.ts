/** The one place that knows a session's public JSON. */
import { z } from "zod";
import { endOfSession, type Session } from "../domain/session.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const sessionSchema = z
  .object({
    session_id: idSchema,
    user_id: idSchema,
    provider: z.string().describe("What the user logged in with."),
    user_agent: z.string().describe("How the browser named itself."),
    created: timestampSchema,
    last_used: timestampSchema.describe("To the minute."),
    expires: timestampSchema.describe("Unless it is used before."),
    current: z.boolean().describe("Whether this request was sent with it."),
  })
  .meta({ id: "Session" });

export type SessionRecord = z.output<typeof sessionSchema>;

export function sessionRecord(session: Session, currentId: string): SessionRecord {
  return {
    session_id: session.id,
    user_id: session.userId,
    provider: session.provider,
    user_agent: session.userAgent,
    created: timestamp(session.createdAt),
    last_used: timestamp(session.lastUsedAt),
    expires: timestamp(endOfSession(session)),
    current: session.id === currentId,
  };
}
