/** The endpoints of browsers that are logged in. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { createSession } from "./create-session.ts";
import { endSessions } from "./end-sessions.ts";
import { listSessions } from "./list-sessions.ts";

export function sessionRoutes(app: App, deps: CallerDeps & RecordDeps): void {
  createSession(app, deps);
  listSessions(app, deps);
  endSessions(app, deps);
}
