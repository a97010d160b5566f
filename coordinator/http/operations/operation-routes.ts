/** The endpoints about the server itself. */
import type { CallerDeps } from "../caller.ts";
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { health, ready } from "./health.ts";
import { openApiDocument } from "./openapi.ts";

export function operationRoutes(
  app: App,
  deps: Pick<CallerDeps, "store" | "admission"> & Pick<HttpDeps, "storeIsFull" | "storeChanged" | "blobs">,
): void {
  health(app);
  ready(app, deps);
  openApiDocument(app);
}
