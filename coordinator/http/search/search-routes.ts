/** The endpoint of the search. */
import type { CallerDeps } from "../caller.ts";
import type { App } from "../fastify-app.ts";
import type { TaskPageDeps } from "../tasks/task-list.ts";
import { search } from "./search.ts";

export function searchRoutes(app: App, deps: CallerDeps & TaskPageDeps): void {
  search(app, deps);
}
