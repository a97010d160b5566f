/**
 * POST /v1/volumes: names files that were sent before and makes a volume of them. The refusal of a request before they
 * are there names the missing ones, so that a client sends only those. The same files under the same name are the same volume.
 */
import { newId } from "@elastic/std/ids.ts";
import { manifestText, VOLUME_BYTES_PER_TEAM_MAX, type Volume, type VolumeFile } from "../../domain/volume.ts";
import { refusals } from "../../public/refusals.ts";
import { volumeRecord, volumeSchema } from "../../public/volume-record.ts";
import { volumeRequestSchema } from "../../public/volume-request.ts";
import { create } from "../../store/change.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { parseSmallJson } from "../body/raw-json.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import type { UnreferencedUploadDeps } from "../limits/unreferenced-uploads.ts";
import { Problem } from "../problems/problem.ts";
import { assertSent } from "./assert-sent.ts";
import { bytesOfVolumes } from "./bytes-of-volumes.ts";
import { servicesWithVolume } from "./services-with-volume.ts";

/** Of the longest list of files. */
const BODY_BYTES_MAX = 2 * 1024 * 1024;

const schema = {
  operationId: "createVolume",
  summary: "Create a data volume",
  description:
    "Of files that were sent before. 409 `files_missing` names in `errors` those that are not there: send them, then " +
    "repeat the request. Responds with 200 and the existing volume where the team has one of this name with exactly these files.",
  tags: ["volumes"],
  body: volumeRequestSchema,
  response: {
    200: volumeSchema,
    201: volumeSchema,
    ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503, 507),
  },
};

export function createVolume(
  app: App,
  deps: CallerDeps & RecordDeps & QuotaDeps & UnreferencedUploadDeps & BlobDeps,
): void {
  app.route({
    method: "POST",
    url: "/v1/volumes",
    schema,
    bodyLimit: BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      const { name, files } = request.body;
      await assertSent(deps, teamId, files, "#/files");
      const text = Buffer.from(manifestText(files));
      const manifest = await deps.blobs.put(teamId, once(text), { bytesMax: text.length });
      const same = sameVolume(deps, teamId, name, manifest.sha256);
      const digests = files.map(({ sha256 }) => sha256);
      if (same !== null) {
        deps.unreferencedUploads.remove(teamId, digests);
        return reply.code(200).send(volumeRecord(same, servicesWithVolume(deps.store.view, same.id)));
      }
      const now = deps.clock.now();
      const volume = await keep(deps, {
        id: newId(now),
        teamId,
        name,
        creatorId: keyOf(request).userId,
        createdAt: now,
        usedAt: null,
        manifestSha256: manifest.sha256,
        manifestBytes: manifest.bytes,
        files: files.length,
        bytes: totalOf(files),
      });
      deps.unreferencedUploads.remove(teamId, digests);
      deps.log.info({ requestId: request.id, volumeId: volume.id, bytes: volume.bytes }, "volume created");
      const location = `${deps.publicUrl()}/v1/volumes/${volume.id}`;
      return reply.code(201).header("location", location).send(volumeRecord(volume, []));
    },
  });
}

function sameVolume(
  { store }: Pick<RecordDeps, "store">,
  teamId: string,
  name: string,
  manifestSha256: string,
): Volume | null {
  for (const { value } of store.view.volumes.of(teamId)) {
    if (value.name === name && value.manifestSha256 === manifestSha256) return value;
  }
  return null;
}

async function keep({ store, quotas }: QuotaDeps & Pick<RecordDeps, "store">, volume: Volume): Promise<Volume> {
  const { volumes } = store.view;
  refuseFull(bytesOfVolumes(store.view, volume.teamId) + volume.bytes);
  const release = quotas.take("volumesPerTeam", volume.teamId, volumes.countOf(volume.teamId));
  try {
    const outcome = await store.commit([create("volumes", volume)]);
    if (outcome.kind === "conflict") throw new Error(`a new id was taken: ${volume.id}`);
    return volume;
  } finally {
    release();
  }
}

function refuseFull(bytes: number): void {
  if (bytes <= VOLUME_BYTES_PER_TEAM_MAX) return;
  const detail = `With this one the team's volumes would take ${bytes} bytes; at most ${VOLUME_BYTES_PER_TEAM_MAX} are stored.`;
  throw new Problem("quota_exceeded", detail);
}

function totalOf(files: readonly VolumeFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
