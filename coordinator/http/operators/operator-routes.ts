/** The endpoints of those who run the service, for all users and teams. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { createLoginLink } from "./create-login-link.ts";
import { createUser } from "./create-user.ts";
import { listOperatedTeams } from "./list-teams.ts";
import { listUsers } from "./list-users.ts";
import { lockOutUser } from "./lock-out-user.ts";

export function operatorRoutes(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  listUsers(app, deps);
  createUser(app, deps);
  createLoginLink(app, deps);
  lockOutUser(app, deps);
  listOperatedTeams(app, deps);
}
