/** The endpoints of data volumes. */

import { withRawBodies } from "../body/raw-bodies.ts";
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { createVolume } from "./create-volume.ts";
import { deleteVolume } from "./delete-volume.ts";
import { getVolume } from "./get-volume.ts";
import { listVolumes } from "./list-volumes.ts";
import { putVolumeFile } from "./put-volume-file.ts";

export function volumeRoutes(app: App, deps: HttpDeps): void {
  withRawBodies(app, (raw) => putVolumeFile(raw, deps));
  createVolume(app, deps);
  listVolumes(app, deps);
  getVolume(app, deps);
  deleteVolume(app, deps);
}
