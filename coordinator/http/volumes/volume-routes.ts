/** The endpoints of data volumes. */
import type { CallerDeps } from "../access/caller.ts";
import { withRawBodies } from "../body/raw-bodies.ts";
import type { TransferDeps } from "../body/transfers.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import type { UnreferencedUploadDeps } from "../limits/unreferenced-uploads.ts";
import { createVolume } from "./create-volume.ts";
import { deleteVolume } from "./delete-volume.ts";
import { getVolume } from "./get-volume.ts";
import { listVolumes } from "./list-volumes.ts";
import { putVolumeFile, type VolumeFileDeps } from "./put-volume-file.ts";

export function volumeRoutes(
  app: App,
  deps: CallerDeps & RecordDeps & QuotaDeps & UnreferencedUploadDeps & TransferDeps & BlobDeps & VolumeFileDeps,
): void {
  withRawBodies(app, (raw) => putVolumeFile(raw, deps));
  createVolume(app, deps);
  listVolumes(app, deps);
  getVolume(app, deps);
  deleteVolume(app, deps);
}
