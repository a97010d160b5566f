/** The endpoints of the keys with which a caller logs into shells. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { addAuthorizedKey } from "./add-authorized-key.ts";
import { listAuthorizedKeys } from "./list-authorized-keys.ts";
import { removeAuthorizedKey } from "./remove-authorized-key.ts";

export function authorizedKeyRoutes(app: App, deps: HttpDeps): void {
  addAuthorizedKey(app, deps);
  listAuthorizedKeys(app, deps);
  removeAuthorizedKey(app, deps);
}
