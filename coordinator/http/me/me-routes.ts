/** The endpoints of the caller. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { deleteMe } from "./delete-me.ts";
import { getMe } from "./get-me.ts";

export function meRoutes(app: App, deps: CallerDeps & RecordDeps): void {
  getMe(app, deps);
  deleteMe(app, deps);
}
