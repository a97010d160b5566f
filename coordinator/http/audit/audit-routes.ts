/** The endpoints of the audit log. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { listAudit } from "./list-audit.ts";

export function auditRoutes(app: App, deps: HttpDeps): void {
  listAudit(app, deps);
}
