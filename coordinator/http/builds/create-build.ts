/** POST /v1/services/:id/builds. The scheduler finds it a machine; its record says how far it is. */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import type { Caller } from "../../auth/authorize.ts";
import { buildIdentity } from "../../builds/build-identity.ts";
import { imageRepository } from "../../builds/image-repository.ts";
import type { Build, BuildRepository } from "../../domain/build.ts";
import { newRelease } from "../../domain/release.ts";
import type { Service } from "../../domain/service.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { buildRecord, buildSchema } from "../../public/build-record.ts";
import { buildRequestSchema, toBuildSettings } from "../../public/build-request.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson } from "../body/raw-json.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { idempotencyHeaders, OneTimeCreations, type Remember } from "../idempotency/create-once.ts";
import type { UnreferencedUploadDeps } from "../limits/unreferenced-uploads.ts";
import { readSource } from "../source-hosts/find-source.ts";
import { type BuildDeps, beginBuild, registryFor } from "./begin-build.ts";
import { keepSource } from "./keep-source.ts";

/** Of the longest list of parts. */
const BODY_BYTES_MAX = 256 * 1024;

const schema = {
  operationId: "createBuild",
  summary: "Build an image",
  description:
    "From the repository of the service, or from a source that was sent before, in the way of volumes: 409 " +
    "`files_missing` names in `errors` the parts that are not there, and 502 `source_corrupt` one that was damaged since it was sent. The same source with the same arguments has its earlier image at once, unless `no_cache` is set.",
  tags: ["builds"],
  params: z.object({ id: z.string() }),
  headers: idempotencyHeaders,
  body: buildRequestSchema,
  response: { 202: buildSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 502, 503, 507) },
};

export function createBuild(
  app: App,
  deps: CallerDeps & RecordDeps & BuildDeps & UnreferencedUploadDeps & BlobDeps & RegistryDeps,
): void {
  const creations = new OneTimeCreations(deps, schema.operationId);
  app.route({
    method: "POST",
    url: "/v1/services/:id/builds",
    schema,
    bodyLimit: BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const key = keyOf(request);
      const service = await readVisible(deps.store, key, "services", request.params.id);
      const { made: build, isReplay } = await creations.run({
        request,
        teamId: service.value.teamId,
        find: async (id) => (await readVisible(deps.store, key, "builds", id)).value,
        make: (remember) => makeBuild(deps, { key, service, body: request.body, remember }),
      });
      if (isReplay) reply.header("idempotent-replayed", "true");
      else deps.log.info({ requestId: request.id, buildId: build.id, reusedFrom: build.reusedFrom }, "build created");
      return reply
        .code(202)
        .header("location", `${deps.publicUrl()}/v1/builds/${build.id}`)
        .send(buildRecord(deps.store.view, build));
    },
  });
}

interface Requested {
  readonly key: Caller;
  readonly service: Versioned<Service>;
  readonly body: z.output<typeof buildRequestSchema>;
  readonly remember: Remember;
}

async function makeBuild(
  deps: RecordDeps & BuildDeps & UnreferencedUploadDeps & BlobDeps & RegistryDeps,
  { key, service, body, remember }: Requested,
): Promise<Build> {
  const registry = registryFor(deps);
  const { teamId, id: serviceId } = service.value;
  const requested = body.source;
  const source = "parts" in requested ? await keepSource(deps, teamId, requested.parts) : null;
  const origin = "parts" in requested ? null : await originOf(deps, key, serviceId, requested.repository.ref);
  const now = deps.clock.now();
  const id = newId(now);
  const settings = toBuildSettings(body, origin?.from.baseDir ?? "");
  const build = await beginBuild(
    deps,
    service,
    {
      id,
      teamId,
      serviceId,
      creatorId: key.userId,
      createdAt: now,
      source,
      origin,
      settings,
      noCache: body.no_cache,
      repository: imageRepository(registry.host, service.value),
      tag: body.tag ?? `build-${id.slice(-12)}`,
      identity: source === null ? "" : buildIdentity(source, settings),
      retryOf: null,
      release: body.deploy ? newRelease(null) : null,
    },
    remember,
  );
  if (source !== null) deps.unreferencedUploads.remove(teamId, [source.sha256]);
  return build;
}

/** Of the service's own repository. */
async function originOf(
  { store }: Pick<RecordDeps, "store">,
  key: Caller,
  serviceId: string,
  ref: string | undefined,
): Promise<BuildRepository> {
  const { value: from } = await readSource(store, key, serviceId);
  return { from, ref: ref ?? null, commit: null, title: null };
}
