/** The endpoints about the server itself. */
import type { CallerDeps } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { health, ready } from "./health.ts";
import { openApiDocument } from "./openapi.ts";

export function operationRoutes(
  app: App,
  deps: Pick<CallerDeps, "store" | "admission"> & Pick<HttpDeps, "storeIsFull" | "blobs">,
): void {
  health(app);
  ready(app, deps);
  openApiDocument(app);
}
