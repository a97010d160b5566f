/** POST /v1/services/:id/deployments: fixes the images to digests and begins the roll-out. */
import { isId } from "@elastic/std/ids.ts";
import { z } from "zod";
import type { Begun, Chosen } from "../../deployments/begin-deployment.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { builtinName } from "../../domain/deployment.ts";
import type { RollOut } from "../../domain/roll-out.ts";
import { deploymentRecord, deploymentSchema } from "../../public/deployment-record.ts";
import { type DeploymentRequest, deploymentRequestSchema, settingsOf } from "../../public/deployment-request.ts";
import { refusals } from "../../public/refusals.ts";
import { type Env, sealEnv } from "../../secrets/deployment-env.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { ImageDeps } from "../deps/image-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { StartDeps } from "../deps/start-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { idempotencyHeaders, OneTimeCreations } from "../idempotency/create-once.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";
import { begin, refuseDeleted } from "./begin-roll-out.ts";
import { chooseEnv } from "./choose-env.ts";
import { readDeployment } from "./find-deployment.ts";

const schema = {
  operationId: "createDeployment",
  summary: "Deploy an image",
  description:
    "Begins a roll-out. The current deployment continues to serve until the new one is ready, or if that fails.",
  tags: ["deployments"],
  params: z.object({ id: z.string() }),
  headers: idempotencyHeaders,
  body: deploymentRequestSchema,
  response: { 201: deploymentSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function createDeployment(app: App, deps: CallerDeps & RecordDeps & ImageDeps & SecretDeps & StartDeps): void {
  const creations = new OneTimeCreations(deps, schema.operationId);
  app.route({
    method: "POST",
    url: "/v1/services/:id/deployments",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const receivedAt = deps.clock.now();
      const key = keyOf(request);
      const { id: serviceId } = request.params;
      const { value: found } = await readVisible(deps.store, key, "services", serviceId);
      refuseDeleted(found);
      const { made, isReplay } = await creations.run({
        request,
        teamId: found.teamId,
        find: (id) => findBegun(deps, key, serviceId, id),
        make: async (remember) => {
          const env = await chooseEnv(deps, request.body, found);
          return await begin(deps, {
            serviceId,
            key,
            chosen: await choose(deps, request.body, found.teamId, env),
            volumeId: readVolumeId(request.body.volume_id),
            withoutVolume: noSuchVolume,
            seal: (id) => sealEnv(deps.secrets, id, env),
            receivedAt,
            note: null,
            also: remember,
          });
        },
      });
      const { service, deployment, rollOut } = made;
      const { image } = deployment;
      if (isReplay) reply.header("idempotent-replayed", "true");
      else deps.log.info({ requestId: request.id, serviceId, deploymentId: deployment.id, image }, "deploying");
      return reply
        .code(201)
        .header("location", `${deps.publicUrl()}/v1/services/${serviceId}/deployments/${deployment.id}`)
        .send(deploymentRecord(deps, service, deployment, rollOut));
    },
  });
}

/** What an earlier request began, as it is now. */
async function findBegun(
  { store }: Pick<RecordDeps, "store">,
  key: AccessKey,
  serviceId: string,
  id: string,
): Promise<Omit<Begun, "rollOut"> & { readonly rollOut: RollOut | null }> {
  const { value: service } = await readVisible(store, key, "services", serviceId);
  const deployment = await readDeployment(store, service, id);
  return { service, deployment, rollOut: (await store.get("roll-outs", id))?.value ?? null };
}

async function choose(deps: ImageDeps, requested: DeploymentRequest, teamId: string, env: Env): Promise<Chosen> {
  const verifier = requested.verifier_image ?? null;
  const [image, verifierImage] = await Promise.all([
    fixImage(deps, requested.image, teamId, "#/image"),
    verifier === null ? null : fixImage(deps, verifier, teamId, "#/verifier_image"),
  ]);
  if (builtinName(image) !== null) refuseForBuiltin(requested, env);
  return {
    image: image.image,
    tag: requested.tag ?? image.tag ?? "latest",
    verifierImage: verifierImage?.image ?? null,
    rollbackOf: null,
    ...settingsOf(requested),
  };
}

async function fixImage({ resolveImage }: ImageDeps, image: string, teamId: string, pointer: string) {
  const resolution = await resolveImage(image, teamId);
  if (resolution.kind === "resolved") return resolution;
  if (resolution.kind === "unavailable") throw new Problem("registry_unavailable", resolution.detail);
  const { code, detail } = resolution;
  throw new Problem(code, detail, { errors: [{ pointer, detail }] });
}

/** What a builtin prover would never see. */
function refuseForBuiltin({ volume_id: volumeId }: DeploymentRequest, env: Env): void {
  if (Object.keys(env).length > 0) {
    throw invalidRequest([{ pointer: "#/env", detail: "a builtin prover runs with an empty environment" }]);
  }
  if (volumeId !== undefined && volumeId !== null) {
    throw invalidRequest([{ pointer: "#/volume_id", detail: "a builtin prover reads no files" }]);
  }
}

function readVolumeId(volumeId: string | null | undefined): string | null {
  if (volumeId === undefined || volumeId === null) return null;
  if (!isId(volumeId)) throw noSuchVolume();
  return volumeId;
}

function noSuchVolume(): Problem {
  return invalidRequest([{ pointer: "#/volume_id", detail: "the team has no such volume" }]);
}
