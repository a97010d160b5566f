/** The endpoints of uploads. */
import type { App } from "../app.ts";
import { withRawBodies } from "../body/raw-bodies.ts";
import type { HttpDeps } from "../http-deps.ts";
import { createUpload } from "./create-upload.ts";

export function uploadRoutes(app: App, deps: HttpDeps): void {
  withRawBodies(app, (raw) => createUpload(raw, deps));
}
