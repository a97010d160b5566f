/** The endpoints about the service's own registry of images. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { getRegistry } from "./get-registry.ts";
import { getRegistryToken } from "./get-registry-token.ts";
import { listRegistryImages } from "./list-registry-images.ts";

export function registryRoutes(app: App, deps: HttpDeps): void {
  getRegistry(app, deps);
  getRegistryToken(app, deps);
  listRegistryImages(app, deps);
}
