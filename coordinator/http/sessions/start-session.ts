/** Stores a new session and makes room for it: of a user's sessions, the one that was used least recently ends first. */
import type { FastifyRequest } from "fastify";
import { authenticateSession } from "../../auth/authenticate.ts";
import { sessionCookie } from "../../auth/login-cookies.ts";
import type { MadeSession } from "../../auth/make-session.ts";
import { SESSIONS_PER_USER } from "../../domain/session.ts";
import { create, remove } from "../../store/change.ts";
import type { Change, Store } from "../../store/store.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";

const TRIES = 5;

export interface PlannedSession {
  readonly session: MadeSession;
  /** They hold or fail with the session. */
  readonly changes: readonly Change[];
}

/** `plan` is made again for each try, from what is stored by then. */
export async function startSession(
  deps: Pick<HttpDeps, "store" | "clock" | "publicUrl">,
  request: FastifyRequest,
  plan: () => Promise<PlannedSession>,
): Promise<MadeSession> {
  const { store } = deps;
  for (let tries = 0; tries < TRIES; tries++) {
    const { session, changes } = await plan();
    const replaced = sessionOf(deps, request);
    const others = [...store.view.sessions.of(session.record.userId)]
      .filter(({ value }) => value.id !== replaced)
      .sort((a, b) => b.value.lastUsedAt - a.value.lastUsedAt);
    const ended = others.slice(SESSIONS_PER_USER - 1).map((one) => remove("sessions", one));
    const before = replaced === null ? [] : await removalOf(store, replaced);
    const outcome = await store.commit([create("sessions", session.record), ...ended, ...before, ...changes]);
    if (outcome.kind === "committed") return session;
  }
  throw new Problem("overloaded", "Your sessions change too quickly; log in again in a moment.");
}

/** The session that this browser has already: nobody would end it once its cookie is replaced. */
function sessionOf(
  { store, clock, publicUrl }: Pick<HttpDeps, "store" | "clock" | "publicUrl">,
  { headers }: FastifyRequest,
): string | null {
  const value = sessionCookie.read(headers.cookie, publicUrl());
  const found = value === null ? null : authenticateSession(store.view, value, clock.now());
  return found?.kind === "key" ? found.key.id : null;
}

async function removalOf(store: Store, id: string): Promise<readonly Change[]> {
  const session = await store.get("sessions", id);
  return session === null ? [] : [remove("sessions", session)];
}
