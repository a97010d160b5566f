/** The endpoints of source hosts, of a team's connections to them, and of what services are built from. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import type { NearlyFullDeps } from "../limits/refuse-nearly-full.ts";
import { createSourceRepository, type TemplateDeps } from "./create-source-repository.ts";
import { deleteServiceSource } from "./delete-service-source.ts";
import { deleteSourceConnection } from "./delete-source-connection.ts";
import type { SourceHostDeps } from "./find-source.ts";
import { finishSourceLink } from "./finish-source-link.ts";
import { getServiceSource } from "./get-service-source.ts";
import { getSourceConnection } from "./get-source-connection.ts";
import { listSourceConnections } from "./list-source-connections.ts";
import { listSourceHosts } from "./list-source-hosts.ts";
import { listSourceRepositories } from "./list-source-repositories.ts";
import { putServiceSource } from "./put-service-source.ts";
import { type PushDeps, receiveSourceEvent } from "./receive-source-event.ts";
import { startSourceLink } from "./start-source-link.ts";

export function sourceHostRoutes(
  app: App,
  deps: CallerDeps &
    RecordDeps &
    QuotaDeps &
    SourceHostDeps &
    PushDeps &
    NearlyFullDeps &
    RegistryDeps &
    SecretDeps &
    TemplateDeps,
): void {
  listSourceHosts(app, deps);
  startSourceLink(app, deps);
  finishSourceLink(app, deps);
  receiveSourceEvent(app, deps);
  listSourceConnections(app, deps);
  getSourceConnection(app, deps);
  deleteSourceConnection(app, deps);
  listSourceRepositories(app, deps);
  createSourceRepository(app, deps);
  putServiceSource(app, deps);
  getServiceSource(app, deps);
  deleteServiceSource(app, deps);
}
