/** The endpoints of the keys with which a caller logs into shells. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { addAuthorizedKey } from "./add-authorized-key.ts";
import { listAuthorizedKeys } from "./list-authorized-keys.ts";
import { removeAuthorizedKey } from "./remove-authorized-key.ts";

export function authorizedKeyRoutes(app: App, deps: CallerDeps & RecordDeps): void {
  addAuthorizedKey(app, deps);
  listAuthorizedKeys(app, deps);
  removeAuthorizedKey(app, deps);
}
