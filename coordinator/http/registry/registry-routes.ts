/** The endpoints about the service's own registry of images. */
import type { CallerDeps } from "../access/caller.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { getRegistry } from "./get-registry.ts";
import { getRegistryToken } from "./get-registry-token.ts";
import { listRegistryImages } from "./list-registry-images.ts";

export function registryRoutes(app: App, deps: CallerDeps & RegistryDeps & SecretDeps): void {
  getRegistry(app, deps);
  getRegistryToken(app, deps);
  listRegistryImages(app, deps);
}
