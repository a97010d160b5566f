/** POST /v1/services/:id/deployments: fixes the image to a digest and begins the roll-out. */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import type { AccessKey } from "../../domain/access-key.ts";
import { BUILTIN_PREFIX, type Deployment } from "../../domain/deployment.ts";
import { deploy, type Service } from "../../domain/service.ts";
import { sealEnv } from "../../secrets/deployment-env.ts";
import { create, replace } from "../../store/change.ts";
import type { App } from "../app.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { invalidRequest, Problem } from "../problem.ts";
import { readService } from "../services/find-service.ts";
import { deploymentRecord, deploymentSchema } from "../wire/deployment-record.ts";
import {
  type DeploymentRequest,
  deploymentRequestSchema,
  toLimits,
  toResources,
  toScaling,
} from "../wire/deployment-request.ts";
import { refusals } from "../wire/refusals.ts";

const TRIES = 20;

const schema = {
  operationId: "createDeployment",
  summary: "Deploy an image",
  tags: ["deployments"],
  params: z.object({ id: z.string() }),
  body: deploymentRequestSchema,
  response: { 201: deploymentSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 503) },
};

export function createDeployment(app: App, deps: HttpDeps): void {
  app.route({
    method: "POST",
    url: "/v1/services/:id/deployments",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { id: serviceId } = request.params;
      const { value: found } = await readService(deps.store, key, serviceId);
      refuseDeleted(found);
      const image = await fixImage(deps, request.body, found.teamId);
      const { service, deployment } = await rollOut(deps, key, serviceId, request.body, image);
      deps.log.info({ requestId: request.id, serviceId, deploymentId: deployment.id, image: image.image }, "deploying");
      return reply
        .code(201)
        .header("location", `${deps.publicUrl()}/v1/services/${serviceId}/deployments/${deployment.id}`)
        .send(deploymentRecord(service, deployment));
    },
  });
}

async function fixImage({ resolveImage }: HttpDeps, asked: DeploymentRequest, teamId: string) {
  const resolution = await resolveImage(asked.image, teamId);
  if (resolution.kind === "unavailable") throw new Problem("registry_unavailable", resolution.detail);
  if (resolution.kind === "refused") {
    throw new Problem(resolution.code, resolution.detail, {
      errors: [{ pointer: "#/image", detail: resolution.detail }],
    });
  }
  if (resolution.image.startsWith(BUILTIN_PREFIX) && Object.keys(asked.env).length > 0) {
    const detail = "a builtin prover runs with an empty environment";
    throw invalidRequest([{ pointer: "#/env", detail }]);
  }
  return { image: resolution.image, tag: asked.tag ?? resolution.tag ?? "latest" };
}

async function rollOut(
  deps: HttpDeps,
  key: AccessKey,
  serviceId: string,
  asked: DeploymentRequest,
  image: Pick<Deployment, "image" | "tag">,
): Promise<{ readonly service: Service; readonly deployment: Deployment }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await readService(deps.store, key, serviceId);
    refuseDeleted(before.value);
    const deployment = newDeployment(deps, before.value, key, asked, image);
    const service = deploy(before.value, deployment.id);
    const changes = [create("deployments", deployment), replace("services", before, service)];
    if ((await deps.store.commit(changes)).kind === "committed") return { service, deployment };
  }
  throw new Problem("overloaded", "The service changes too quickly; ask again in a moment.");
}

function newDeployment(
  { clock, secrets }: HttpDeps,
  service: Service,
  key: AccessKey,
  asked: DeploymentRequest,
  image: Pick<Deployment, "image" | "tag">,
): Deployment {
  const now = clock.now();
  const id = newId(now);
  return {
    id,
    serviceId: service.id,
    teamId: service.teamId,
    creatorId: key.userId,
    createdAt: now,
    ...image,
    sealedEnv: sealEnv(secrets, id, asked.env),
    resources: toResources(asked),
    scaling: toScaling(asked),
    limits: toLimits(asked),
  };
}

function refuseDeleted(service: Service): void {
  if (service.state.kind === "deleted") throw new Problem("service_deleted", "The service was deleted.");
}
