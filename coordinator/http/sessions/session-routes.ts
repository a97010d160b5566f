/** The endpoints of browsers that are logged in. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { createSession } from "./create-session.ts";
import { endSessions } from "./end-sessions.ts";
import { listSessions } from "./list-sessions.ts";

export function sessionRoutes(app: App, deps: HttpDeps): void {
  createSession(app, deps);
  listSessions(app, deps);
  endSessions(app, deps);
}
