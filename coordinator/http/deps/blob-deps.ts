import type { BlobStore } from "../../blobs/blob-store.ts";

/** Inputs, results, sources and files of volumes, where they are large. */
export interface BlobDeps {
  readonly blobs: BlobStore;
}
