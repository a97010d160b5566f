/** The endpoints of uploads. */

import { withRawBodies } from "../body/raw-bodies.ts";
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { createUpload } from "./create-upload.ts";

export function uploadRoutes(app: App, deps: HttpDeps): void {
  withRawBodies(app, (raw) => createUpload(raw, deps));
}
