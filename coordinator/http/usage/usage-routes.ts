/** The endpoints of usage. */
import type { CallerDeps } from "../access/caller.ts";
import type { HistoryDeps } from "../deps/history-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { getUsage } from "./get-usage.ts";
import { usageDays } from "./usage-days.ts";

export function usageRoutes(app: App, deps: CallerDeps & HistoryDeps): void {
  getUsage(app, deps);
  usageDays(app, deps);
}
