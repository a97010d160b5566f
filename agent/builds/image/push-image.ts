/** Pushes an image to one repository (OCI distribution specification 1.0, push): blobs that are not there, then the manifest. */
import { setTimeout as delay } from "node:timers/promises";
import { BuildFailure } from "../../domain/build-failure.ts";
import type { RegistryClient } from "../registry/registry-client.ts";
import type { BlobDescriptor, ImageLayout } from "./image-layout.ts";

export interface PushTarget {
  readonly registry: RegistryClient;
  /** Without the host. */
  readonly repository: string;
  readonly tag: string;
}

const TRIES = 4;
const RETRY_MS = 500;

/** Returns the manifest's digest. Throws BuildFailure once the registry has failed several times. */
export async function pushImage(layout: ImageLayout, target: PushTarget, signal: AbortSignal): Promise<string> {
  for (const blob of layout.blobs) await retried(() => pushBlob(layout, blob, target, signal), signal);
  const { digest, mediaType, text } = layout.manifest;
  await retried(async () => {
    const path = `/v2/${target.repository}/manifests/${target.tag}`;
    const headers = { "content-type": mediaType };
    await expectStatus(await target.registry.send({ method: "PUT", path, headers, body: () => text, signal }), [201]);
  }, signal);
  return digest;
}

async function pushBlob(
  layout: ImageLayout,
  blob: BlobDescriptor,
  { registry, repository }: PushTarget,
  signal: AbortSignal,
): Promise<void> {
  const there = await registry.send({ method: "HEAD", path: `/v2/${repository}/blobs/${blob.digest}`, signal });
  await there.body?.cancel();
  if (there.status === 200) return;
  const begun = await registry.send({ method: "POST", path: `/v2/${repository}/blobs/uploads/`, signal });
  await expectStatus(begun, [202]);
  const location = new URL(begun.headers.get("location") ?? "", `http://${registry.host}`);
  location.searchParams.set("digest", blob.digest);
  const sent = await registry.send({
    method: "PUT",
    path: `${location.pathname}${location.search}`,
    headers: { "content-type": "application/octet-stream", "content-length": String(blob.size) },
    body: () => layout.open(blob),
    signal,
  });
  await expectStatus(sent, [201]);
}

async function expectStatus(response: Response, expected: readonly number[]): Promise<void> {
  const text = await response.text().catch(() => "");
  if (expected.includes(response.status)) return;
  throw new BuildFailure(
    "registry_unavailable",
    `the registry returned ${response.status} for the image: ${text.slice(0, 200)}`,
  );
}

async function retried(act: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      signal.throwIfAborted();
      const isPassing = error instanceof BuildFailure ? error.reason === "registry_unavailable" : true;
      if (!isPassing || tries === TRIES) throw error;
      await delay(RETRY_MS * 2 ** tries, undefined, { signal });
    }
  }
}
