/** The endpoints of the accounts with which a user logs in. */
import type { CallerDeps } from "../access/caller.ts";
import type { ProviderDeps } from "../deps/provider-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { beginLink } from "./begin-link.ts";
import { listAccounts } from "./list-accounts.ts";
import { unlinkAccount } from "./unlink-account.ts";

export function linkedAccountRoutes(app: App, deps: CallerDeps & RecordDeps & ProviderDeps & SecretDeps): void {
  listAccounts(app, deps);
  beginLink(app, deps);
  unlinkAccount(app, deps);
}
