/** The endpoints about the server itself. */
import type { CallerDeps } from "../access/caller.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { ChangedStoreDeps } from "../deps/changed-store-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { type ClockDeps, health, ready, type StopDeps, type StoreRoomDeps } from "./health.ts";
import { openApiDocument } from "./openapi.ts";

export function operationRoutes(
  app: App,
  deps: Pick<CallerDeps, "store" | "admission"> & StoreRoomDeps & ChangedStoreDeps & BlobDeps & ClockDeps & StopDeps,
): void {
  health(app);
  ready(app, deps);
  openApiDocument(app);
}
