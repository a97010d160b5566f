/** The endpoint of the caller. */
import type { CallerDeps } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { getMe } from "./get-me.ts";

export function meRoutes(app: App, deps: CallerDeps): void {
  getMe(app, deps);
}
