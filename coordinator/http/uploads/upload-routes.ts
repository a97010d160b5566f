/** The endpoints of uploads. */
import type { CallerDeps } from "../access/caller.ts";
import { withRawBodies } from "../body/raw-bodies.ts";
import type { TransferDeps } from "../body/transfers.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { createUpload, type UploadDeps } from "./create-upload.ts";

export function uploadRoutes(
  app: App,
  deps: CallerDeps & RecordDeps & QuotaDeps & TransferDeps & BlobDeps & UploadDeps,
): void {
  withRawBodies(app, (raw) => createUpload(raw, deps));
}
