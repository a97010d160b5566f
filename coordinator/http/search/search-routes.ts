/** The endpoint of the search. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { search } from "./search.ts";

export function searchRoutes(app: App, deps: HttpDeps): void {
  search(app, deps);
}
