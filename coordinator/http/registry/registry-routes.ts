/** The endpoints about the service's own registry of images. */
import type { CallerDeps } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { getRegistry } from "./get-registry.ts";
import { getRegistryToken } from "./get-registry-token.ts";
import { listRegistryImages } from "./list-registry-images.ts";

export function registryRoutes(app: App, deps: CallerDeps & Pick<HttpDeps, "registry" | "secrets">): void {
  getRegistry(app, deps);
  getRegistryToken(app, deps);
  listRegistryImages(app, deps);
}
