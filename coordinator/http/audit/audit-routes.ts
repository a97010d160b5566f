/** The endpoints of the audit log. */
import type { CallerDeps } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { type AuditLogDeps, listAudit } from "./list-audit.ts";

export function auditRoutes(app: App, deps: CallerDeps & AuditLogDeps): void {
  listAudit(app, deps);
}
