/** Damage to a blob, for operators: counted, and logged with the name that it has in the directory or bucket. */
import type { Logger } from "@elastic/std/log.ts";
import type { BlobMetrics } from "../metrics/blob-metrics.ts";
import type { BlobCorruptError } from "./blob-store.ts";

export function reportCorruptBlob(
  { blobs }: { readonly blobs: BlobMetrics },
  log: Logger,
): (error: BlobCorruptError) => void {
  return ({ teamId, sha256, message }) => {
    blobs.corrupt();
    log.error({ teamId, sha256 }, `blob corrupt: ${message}; restore it, or let the same bytes be sent again`);
  };
}
