/** GET /v1/volumes/:id, with the list of its files. */
import { z } from "zod";
import { readManifest } from "../../blobs/volume-manifests.ts";
import { refusals } from "../../public/refusals.ts";
import { volumeWithFiles, volumeWithFilesSchema } from "../../public/volume-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { servicesWithVolume } from "./services-with-volume.ts";

const schema = {
  operationId: "getVolume",
  summary: "Get a data volume",
  tags: ["volumes"],
  params: z.object({ id: z.string() }),
  response: { 200: volumeWithFilesSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getVolume(app: App, deps: CallerDeps & BlobDeps): void {
  app.route({
    method: "GET",
    url: "/v1/volumes/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const { value: volume } = await readVisible(deps.store, keyOf(request), "volumes", request.params.id);
      const { files } = await readManifest(deps.blobs, volume.teamId, volume.manifestSha256);
      return reply.send(volumeWithFiles(volume, servicesWithVolume(deps.store.view, volume.id), files));
    },
  });
}
