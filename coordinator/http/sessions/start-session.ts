/** Stores a new session and makes room for it: of a user's sessions, the one that was used least recently ends first. */
import type { FastifyRequest } from "fastify";
import { authenticateSession } from "../../auth/authenticate.ts";
import { sessionCookie } from "../../auth/login-cookies.ts";
import type { MadeSession } from "../../auth/make-session.ts";
import { SESSIONS_PER_USER } from "../../domain/session.ts";
import { create, remove } from "../../store/change.ts";
import type { Change } from "../../store/store.ts";
import { update } from "../../store/update.ts";
import type { CallerDeps } from "../access/caller.ts";

export interface PlannedSession {
  readonly session: MadeSession;
  /** They hold or fail with the session. */
  readonly changes: readonly Change[];
}

/** `plan` is made again for each try, from what is stored by then. */
export async function startSession(
  deps: Pick<CallerDeps, "store" | "clock" | "publicUrl">,
  request: FastifyRequest,
  plan: () => Promise<PlannedSession>,
): Promise<MadeSession> {
  const { store } = deps;
  const { result } = await update(store, {
    read: async () => {
      const planned = await plan();
      const replaced = sessionOf(deps, request);
      return { planned, replaced: replaced === null ? null : await store.get("sessions", replaced) };
    },
    decide: ({ planned: { session, changes }, replaced }) => {
      const others = [...store.view.sessions.of(session.record.userId)]
        .filter(({ value }) => value.id !== replaced?.value.id)
        .sort((a, b) => b.value.lastUsedAt - a.value.lastUsedAt);
      const ended = [...others.slice(SESSIONS_PER_USER - 1), ...(replaced === null ? [] : [replaced])];
      const removals = ended.map((one) => remove("sessions", one));
      return { changes: [create("sessions", session.record), ...removals, ...changes], result: session };
    },
  });
  return result;
}

/** The session that this browser has already: nobody would end it once its cookie is replaced. */
function sessionOf(
  { store, clock, publicUrl }: Pick<CallerDeps, "store" | "clock" | "publicUrl">,
  { headers }: FastifyRequest,
): string | null {
  const value = sessionCookie.read(headers.cookie, publicUrl());
  const found = value === null ? null : authenticateSession(store.view, value, clock.now());
  return found?.kind === "key" ? found.key.id : null;
}
