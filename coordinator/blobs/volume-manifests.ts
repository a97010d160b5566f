/** The lists of volumes' files, which are blobs themselves. */
import { buffer } from "node:stream/consumers";
import { MANIFEST_BYTES_MAX, type Manifest, type Volume } from "../domain/volume.ts";
import type { BlobStore } from "./blob-store.ts";

/** Rejects when it cannot be read: a volume whose list is gone must not look like one without files. */
export async function readManifest(
  blobs: Pick<BlobStore, "open">,
  teamId: string,
  manifestSha256: string,
): Promise<Manifest> {
  const blob = await blobs.open(teamId, manifestSha256);
  if (blob === null) throw new Error(`the manifest ${manifestSha256} of a volume is gone`);
  if (blob.bytes > MANIFEST_BYTES_MAX) {
    blob.stream.destroy();
    throw new Error(`the manifest ${manifestSha256} of a volume has ${blob.bytes} bytes`);
  }
  return JSON.parse((await buffer(blob.stream)).toString("utf8")) as Manifest;
}

/** Every blob of which the volumes are made. */
export async function* volumeFiles(
  volumes: AsyncIterable<Pick<Volume, "teamId" | "manifestSha256">>,
  blobs: Pick<BlobStore, "open">,
): AsyncGenerator<{ readonly teamId: string; readonly sha256: string }> {
  for await (const { teamId, manifestSha256 } of volumes) {
    yield { teamId, sha256: manifestSha256 };
    const { files } = await readManifest(blobs, teamId, manifestSha256);
    for (const { sha256 } of files) yield { teamId, sha256 };
  }
}
