/** The endpoints of builds. */
import type { CallerDeps } from "../access/caller.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { UnreferencedUploadDeps } from "../limits/unreferenced-uploads.ts";
import type { LogDeps } from "../logs/log-followers.ts";
import type { BuildDeps } from "./begin-build.ts";
import { cancelBuild } from "./cancel-build.ts";
import { createBuild } from "./create-build.ts";
import { getBuild } from "./get-build.ts";
import { getBuildLog } from "./get-build-log.ts";
import { listBuilds } from "./list-builds.ts";
import { retryBuild } from "./retry-build.ts";

export function buildRoutes(
  app: App,
  deps: CallerDeps & RecordDeps & BuildDeps & LogDeps & UnreferencedUploadDeps & BlobDeps & RegistryDeps,
): void {
  createBuild(app, deps);
  listBuilds(app, deps);
  getBuild(app, deps);
  getBuildLog(app, deps);
  cancelBuild(app, deps);
  retryBuild(app, deps);
}
