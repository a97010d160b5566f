/** The endpoints of the accounts with which a user logs in. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { beginLink } from "./begin-link.ts";
import { listAccounts } from "./list-accounts.ts";
import { unlinkAccount } from "./unlink-account.ts";

export function linkedAccountRoutes(
  app: App,
  deps: CallerDeps & RecordDeps & Pick<HttpDeps, "providers" | "secrets">,
): void {
  listAccounts(app, deps);
  beginLink(app, deps);
  unlinkAccount(app, deps);
}
