/** The endpoints of the audit log. */
import type { CallerDeps } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { listAudit } from "./list-audit.ts";

export function auditRoutes(app: App, deps: CallerDeps & Pick<HttpDeps, "auditLog">): void {
  listAudit(app, deps);
}
