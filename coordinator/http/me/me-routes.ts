/** The endpoint of the caller. */
import type { CallerDeps } from "../caller.ts";
import type { App } from "../fastify-app.ts";
import { getMe } from "./get-me.ts";

export function meRoutes(app: App, deps: CallerDeps): void {
  getMe(app, deps);
}
