/**
 * PUT /v1/volumes/files/:sha256: one file for volumes of the team, sent before the volume that names it. The body is
 * the file. Sending it again changes nothing; what no volume names within the hour is forgotten, and until then counts
 * for itself.
 */
import { z } from "zod";
import type { BlobAddress } from "../../blobs/blob-store.ts";
import { BlobDigestError, BlobTooLargeError, type Put } from "../../blobs/blob-store.ts";
import { VOLUME_BYTES_MAX, VOLUME_BYTES_PER_TEAM_MAX } from "../../domain/volume.ts";
import { refusals } from "../../public/refusals.ts";
import { sha256Schema } from "../../public/volume-record.ts";
import { type CallerDeps, keyOf, refuseEnded, requireKey, teamOf } from "../access/caller.ts";
import { mayTakeLong, rawBody } from "../body/raw-bodies.ts";
import type { TransferDeps } from "../body/transfers.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { InFlightBytes } from "../limits/in-flight-bytes.ts";
import type { UnreferencedUploadDeps } from "../limits/unreferenced-uploads.ts";
import { Problem } from "../problems/problem.ts";
import { bytesOfVolumes } from "./bytes-of-volumes.ts";

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

export interface VolumeFileDeps {
  readonly inFlightFiles: InFlightBytes;
}

export function putVolumeFile(
  app: App,
  deps: CallerDeps & RecordDeps & UnreferencedUploadDeps & TransferDeps & BlobDeps & VolumeFileDeps,
): void {
  app.route({
    method: "PUT",
    url: "/v1/volumes/files/:sha256",
    schema,
    config: mayTakeLong,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const teamId = teamOf(deps, request);
      const { sha256 } = request.params;
      const body = rawBody(request, VOLUME_BYTES_MAX);
      const stored = await deps.transfers.run({ key, teamId }, () => {
        return keepCounted(deps, { teamId, sha256 }, body);
      });
      refuseEnded(deps, key, teamId);
      deps.log.info({ requestId: request.id, teamId, sha256, bytes: stored.bytes }, "file of a volume uploaded");
      return reply.send({ sha256, bytes: stored.bytes });
    },
  });
}

/** From its first byte on. */
function keepCounted(
  deps: UnreferencedUploadDeps & Pick<RecordDeps, "store"> & BlobDeps & VolumeFileDeps,
  file: BlobAddress,
  body: AsyncIterable<Buffer>,
): Promise<Put> {
  const { store, inFlightFiles, unreferencedUploads } = deps;
  const { teamId, sha256 } = file;
  const refuseBeyond = (inFlightBytes: number) => {
    const restBytes = VOLUME_BYTES_PER_TEAM_MAX - bytesOfVolumes(store.view, teamId);
    unreferencedUploads.refuseBeyond(teamId, inFlightBytes, restBytes);
  };
  return inFlightFiles.run(teamId, body, refuseBeyond, async (source) => {
    const stored = await keep(deps, file, source);
    unreferencedUploads.add(teamId, sha256, stored.bytes);
    return stored;
  });
}

async function keep({ blobs }: BlobDeps, { teamId, sha256 }: BlobAddress, body: AsyncIterable<Buffer>): Promise<Put> {
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
