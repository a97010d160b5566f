/** POST /v1/builds/:id/retry: another build of the same source and arguments. */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { imageRepository } from "../../builds/image-repository.ts";
import type { Build } from "../../domain/build.ts";
import { newRelease } from "../../domain/release.ts";
import type { Service } from "../../domain/service.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { buildRecord, buildSchema } from "../../public/build-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { idempotencyHeaders, OneTimeCreations, type Remember } from "../idempotency/create-once.ts";
import { Problem } from "../problems/problem.ts";
import { type BuildDeps, beginBuild, registryFor } from "./begin-build.ts";

const schema = {
  operationId: "retryBuild",
  summary: "Build again",
  description:
    "A new build of the same source and arguments, deployed where the first one was to be; 409 `source_gone` where the source is no longer retained.",
  tags: ["builds"],
  params: z.object({ id: z.string() }),
  headers: idempotencyHeaders,
  body: z.strictObject({ no_cache: z.boolean().default(false).describe("Whether to run every step.") }),
  response: { 202: buildSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function retryBuild(app: App, deps: CallerDeps & RecordDeps & BuildDeps & BlobDeps & RegistryDeps): void {
  const creations = new OneTimeCreations(deps, schema.operationId);
  app.route({
    method: "POST",
    url: "/v1/builds/:id/retry",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { value: before } = await readVisible(deps.store, key, "builds", request.params.id);
      const service = await readVisible(deps.store, key, "services", before.serviceId);
      const { made: build, isReplay } = await creations.run({
        request,
        teamId: before.teamId,
        find: async (id) => (await readVisible(deps.store, key, "builds", id)).value,
        make: (remember) =>
          repeat(deps, { before, service, creatorId: key.userId, noCache: request.body.no_cache, remember }),
      });
      if (isReplay) reply.header("idempotent-replayed", "true");
      else deps.log.info({ requestId: request.id, buildId: build.id, retryOf: before.id }, "build repeated");
      return reply
        .code(202)
        .header("location", `${deps.publicUrl()}/v1/builds/${build.id}`)
        .send(buildRecord(deps.store.view, build));
    },
  });
}

interface Repetition {
  readonly before: Build;
  readonly service: Versioned<Service>;
  readonly creatorId: string;
  readonly noCache: boolean;
  readonly remember: Remember;
}

async function repeat(
  deps: RecordDeps & BuildDeps & BlobDeps & RegistryDeps,
  { before, service, creatorId, noCache, remember }: Repetition,
): Promise<Build> {
  const registry = registryFor(deps);
  const isThere = before.source === null || (await deps.blobs.renew(before.teamId, before.source.sha256)) !== null;
  if (!isThere) {
    throw new Problem("source_gone", "The source of this build is no longer retained: send it again as a new build.");
  }
  const now = deps.clock.now();
  const id = newId(now);
  const { teamId, serviceId, source, origin, settings, tag, identity } = before;
  return await beginBuild(
    deps,
    service,
    {
      ...{ id, teamId, serviceId, source, origin, settings, tag, identity },
      creatorId,
      createdAt: now,
      noCache,
      repository: imageRepository(registry.host, service.value),
      retryOf: before.id,
      release: before.release === null ? null : newRelease(null),
    },
    remember,
  );
}
