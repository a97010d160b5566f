/** The endpoint of the caller. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { getMe } from "./get-me.ts";

export function meRoutes(app: App, deps: HttpDeps): void {
  getMe(app, deps);
}
