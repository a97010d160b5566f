/** The endpoints of nodes. */
import type { App } from "../app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { evictNode } from "./evict-node.ts";

export function nodeRoutes(app: App, deps: HttpDeps): void {
  evictNode(app, deps);
}
