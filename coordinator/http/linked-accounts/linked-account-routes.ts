/** The endpoints of the accounts with which a user logs in. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { beginLink } from "./begin-link.ts";
import { listAccounts } from "./list-accounts.ts";
import { unlinkAccount } from "./unlink-account.ts";

export function linkedAccountRoutes(app: App, deps: HttpDeps): void {
  listAccounts(app, deps);
  beginLink(app, deps);
  unlinkAccount(app, deps);
}
