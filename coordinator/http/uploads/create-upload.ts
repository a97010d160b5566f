/** POST /v1/uploads: an input that is too large for the body of a task, sent ahead. The body is the input itself. */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { BlobTooLargeError } from "../../blobs/blob-store.ts";
import { LARGE_INPUT_BYTES_MAX, UPLOAD_LIFETIME_MS, type Upload } from "../../domain/upload.ts";
import { refusals } from "../../public/refusals.ts";
import { uploadRecord, uploadSchema } from "../../public/upload-record.ts";
import { create } from "../../store/change.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { checkedJson } from "../body/json-stream.ts";
import { mayTakeLong, rawBody } from "../body/raw-bodies.ts";
import type { TransferDeps } from "../body/transfers.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { InFlightBytes } from "../limits/in-flight-bytes.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { Problem } from "../problems/problem.ts";

/** Of all that a team has uploaded and that has not expired. */
const BYTES_PER_TEAM_MAX = 256 * 1024 * 1024 * 1024;

const schema = {
  operationId: "createUpload",
  summary: "Send an input ahead",
  description:
    "The body is the JSON text that a task's prover will get, byte for byte, at most 1 GiB. Name the `upload_id` as " +
    "`input_upload_id` of tasks within 24 hours.",
  tags: ["tasks"],
  consumes: ["application/json", "application/octet-stream"],
  body: z.unknown(),
  response: { 201: uploadSchema, ...refusals(400, 401, 403, 404, 413, 429, 503, 507) },
};

export interface UploadDeps {
  readonly inFlightUploads: InFlightBytes;
}

export function createUpload(
  app: App,
  deps: CallerDeps & RecordDeps & QuotaDeps & TransferDeps & BlobDeps & UploadDeps,
): void {
  app.route({
    method: "POST",
    url: "/v1/uploads",
    schema,
    config: mayTakeLong,
    onRequest: requireKey(deps, "tasks:write"),
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      const body = rawBody(request, LARGE_INPUT_BYTES_MAX);
      const give = deps.quotas.take("uploadsPerTeam", teamId, deps.store.view.uploads.countOf(teamId));
      const upload = await deps.transfers
        .run({ key: keyOf(request), teamId }, () => {
          const refuseBeyond = (inFlightBytes: number) => refuseFull(deps, teamId, inFlightBytes);
          return deps.inFlightUploads.run(teamId, body, refuseBeyond, async (source) => {
            const stored = await keep(deps, teamId, source);
            return await remember(deps, { teamId, creatorId: keyOf(request).userId, ...stored });
          });
        })
        .finally(give);
      deps.log.info({ requestId: request.id, uploadId: upload.id, bytes: upload.bytes }, "input uploaded");
      return reply.code(201).send(uploadRecord(upload));
    },
  });
}

function refuseFull({ store }: Pick<RecordDeps, "store">, teamId: string, inFlightBytes: number): void {
  let bytes = inFlightBytes;
  for (const { value } of store.view.uploads.of(teamId)) bytes += value.bytes;
  if (bytes < BYTES_PER_TEAM_MAX) return;
  throw new Problem("quota_exceeded", `The team's uploads take ${bytes} bytes; wait until some have expired.`);
}

async function keep({ blobs }: BlobDeps, teamId: string, body: AsyncIterable<Buffer>) {
  try {
    return await blobs.put(teamId, checkedJson(body, "The upload"), {
      bytesMax: LARGE_INPUT_BYTES_MAX,
      sparesReserve: true,
    });
  } catch (error) {
    if (!(error instanceof BlobTooLargeError)) throw error;
    throw new Problem("body_too_large", `The body has more than ${LARGE_INPUT_BYTES_MAX} bytes.`);
  }
}

async function remember(
  { store, clock }: Pick<RecordDeps, "store" | "clock">,
  stored: Pick<Upload, "teamId" | "creatorId" | "bytes" | "sha256">,
): Promise<Upload> {
  const now = clock.now();
  const upload = { id: newId(now), createdAt: now, expiresAt: now + UPLOAD_LIFETIME_MS, ...stored };
  const outcome = await store.commit([create("uploads", upload)]);
  if (outcome.kind === "conflict") throw new Error(`a new id was taken: ${upload.id}`);
  return upload;
}
