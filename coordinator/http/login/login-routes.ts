/** The endpoints by which a browser logs in at a provider. */
import type { CallerDeps } from "../access/caller.ts";
import type { ProviderDeps } from "../deps/provider-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import type { NearlyFullDeps } from "../limits/refuse-nearly-full.ts";
import { finishLogin } from "./finish-login.ts";
import { listProviders } from "./list-providers.ts";
import { startLogin } from "./start-login.ts";

export function loginRoutes(
  app: App,
  deps: CallerDeps & RecordDeps & QuotaDeps & NearlyFullDeps & ProviderDeps & SecretDeps,
): void {
  listProviders(app, deps);
  startLogin(app, deps);
  finishLogin(app, deps);
}
