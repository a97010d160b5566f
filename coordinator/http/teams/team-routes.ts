/** The endpoints of teams. */
import type { App } from "../app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { listTeams } from "./list-teams.ts";

export function teamRoutes(app: App, deps: HttpDeps): void {
  listTeams(app, deps);
}
