/** Stores a new session and makes room for it: of a user's sessions, the one that was used least recently ends first. */
import { SESSIONS_PER_USER, type Session } from "../../domain/session.ts";
import { create, remove } from "../../store/change.ts";
import type { Change, Store } from "../../store/store.ts";
import { Problem } from "../problem.ts";

const TRIES = 5;

/** `withIt` is read again for each try, and holds or fails with the session. */
export async function startSession(
  store: Store,
  session: Session,
  withIt: () => Promise<readonly Change[]>,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const others = [...store.view.sessions.of(session.userId)].sort((a, b) => b.value.lastUsedAt - a.value.lastUsedAt);
    const ended = others.slice(SESSIONS_PER_USER - 1).map((one) => remove("sessions", one));
    const outcome = await store.commit([create("sessions", session), ...ended, ...(await withIt())]);
    if (outcome.kind === "committed") return;
  }
  throw new Problem("overloaded", "Your sessions change too quickly; log in again in a moment.");
}
