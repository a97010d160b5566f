/**
 * PUT /v1/volumes/files/:sha256: one file for volumes of the team, sent before the volume that names it. The body is
 * the file. Sending it again changes nothing; what no volume names within the hour is forgotten.
 */
import { z } from "zod";
import { BlobDigestError, BlobTooLargeError } from "../../blobs/blob-store.ts";
import { VOLUME_BYTES_MAX } from "../../domain/volume.ts";
import type { App } from "../app.ts";
import { mayTakeLong, rawBody } from "../body/raw-bodies.ts";
import { keyOf, requireKey, teamOf } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { refusals } from "../wire/refusals.ts";
import { sha256Schema } from "../wire/volume-record.ts";

const schema = {
  operationId: "putVolumeFile",
  summary: "Send a file for a volume",
  tags: ["volumes"],
  consumes: ["application/octet-stream"],
  params: z.object({ sha256: sha256Schema }),
  body: z.unknown(),
  response: {
    200: z.object({ sha256: sha256Schema, bytes: z.int() }),
    ...refusals(401, 403, 404, 413, 422, 429, 503, 507),
  },
};

export function putVolumeFile(app: App, deps: HttpDeps): void {
  app.route({
    method: "PUT",
    url: "/v1/volumes/files/:sha256",
    schema,
    config: mayTakeLong,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      const { sha256 } = request.params;
      const body = rawBody(request, VOLUME_BYTES_MAX);
      const kept = await deps.transfers.run({ key: keyOf(request), teamId }, () => {
        return keep(deps, { teamId, sha256 }, body);
      });
      deps.log.info({ requestId: request.id, teamId, sha256, bytes: kept.bytes }, "file of a volume uploaded");
      return reply.send({ sha256, bytes: kept.bytes });
    },
  });
}

async function keep(
  { blobs }: HttpDeps,
  { teamId, sha256 }: { readonly teamId: string; readonly sha256: string },
  body: AsyncIterable<Buffer>,
) {
  try {
    return await blobs.put(teamId, body, { bytesMax: VOLUME_BYTES_MAX, sha256, sparesReserve: true });
  } catch (error) {
    if (error instanceof BlobDigestError) throw anotherDigest(error);
    if (!(error instanceof BlobTooLargeError)) throw error;
    throw new Problem("body_too_large", `The body has more than ${VOLUME_BYTES_MAX} bytes.`);
  }
}

function anotherDigest({ put }: BlobDigestError): Problem {
  const detail = `The body has ${put.bytes} bytes and the digest ${put.sha256}, not the one of the path.`;
  return new Problem("digest_mismatch", detail, { errors: [{ pointer: "path/sha256", detail: "another digest" }] });
}
