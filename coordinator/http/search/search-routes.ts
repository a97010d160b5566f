/** The endpoint of the search. */
import type { CallerDeps } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { TaskPageDeps } from "../tasks/task-list.ts";
import { search } from "./search.ts";

export function searchRoutes(app: App, deps: CallerDeps & TaskPageDeps): void {
  search(app, deps);
}
