/** The endpoints of access keys. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { createKey } from "./create-key.ts";
import { getKey } from "./get-key.ts";
import { listKeys } from "./list-keys.ts";
import { revokeKey } from "./revoke-key.ts";

export function keyRoutes(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  createKey(app, deps);
  listKeys(app, deps);
  getKey(app, deps);
  revokeKey(app, deps);
}
