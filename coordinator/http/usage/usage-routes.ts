/** The endpoints of usage. */
import type { CallerDeps } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { getUsage } from "./get-usage.ts";
import { usageDays } from "./usage-days.ts";

export function usageRoutes(app: App, deps: CallerDeps & Pick<HttpDeps, "history">): void {
  getUsage(app, deps);
  usageDays(app, deps);
}
