/** The endpoints of services. */
import type { ServiceRecordSource } from "../../public/service-record.ts";
import type { CallerDeps } from "../access/caller.ts";
import type { HistoryDeps } from "../deps/history-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SeriesDeps } from "../deps/series-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { getServiceLogs } from "../logs/get-service-logs.ts";
import type { LogDeps } from "../logs/log-followers.ts";
import { getServiceMetrics } from "../metrics/get-service-metrics.ts";
import { listMetrics } from "../metrics/list-metrics.ts";
import { changeService } from "./change-service.ts";
import { createService } from "./create-service.ts";
import { deleteService } from "./delete-service.ts";
import { getService } from "./get-service.ts";
import { listServices } from "./list-services.ts";

export function serviceRoutes(
  app: App,
  deps: CallerDeps & RecordDeps & ServiceRecordSource & QuotaDeps & LogDeps & HistoryDeps & SeriesDeps,
): void {
  createService(app, deps);
  listServices(app, deps);
  getService(app, deps);
  changeService(app, deps);
  deleteService(app, deps);
  getServiceMetrics(app, deps);
  getServiceLogs(app, deps);
  listMetrics(app, deps);
}
