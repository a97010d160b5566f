/**
 * POST /v1/services/:id/rollback: deploys again what an earlier deployment was, to the digest, with its environment
 * and volume. The earlier one stays as it is; its repetition rolls out like any other.
 */
import { isId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { readyBefore } from "../../deployments/outdated.ts";
import type { Deployment } from "../../domain/deployment.ts";
import type { Service } from "../../domain/service.ts";
import { deploymentRecord, deploymentSchema } from "../../public/deployment-record.ts";
import { refusals } from "../../public/refusals.ts";
import { sealEnv } from "../../secrets/deployment-env.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { StartDeps } from "../deps/start-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";
import { begin, refuseDeleted } from "./begin-roll-out.ts";
import { openEarlierEnv } from "./open-earlier-env.ts";

const schema = {
  operationId: "rollBack",
  summary: "Go back to an earlier deployment",
  tags: ["deployments"],
  params: z.object({ id: z.string() }),
  body: z.strictObject({
    deployment_id: z
      .string()
      .optional()
      .describe("The one to repeat; where it is left out, the one that was ready before the current one."),
  }),
  response: { 201: deploymentSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function rollBack(app: App, deps: CallerDeps & RecordDeps & SecretDeps & StartDeps): void {
  app.route({
    method: "POST",
    url: "/v1/services/:id/rollback",
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
      const earlier = await chooseEarlier(deps, found, request.body.deployment_id);
      const { image, tag, verifierImage, resources, scaling, limits } = earlier;
      const env = openEarlierEnv(deps, earlier);
      const { service, deployment, rollOut } = await begin(deps, {
        serviceId,
        key,
        chosen: { image, tag, verifierImage, resources, scaling, limits, rollbackOf: earlier.id },
        volumeId: earlier.volume?.id ?? null,
        withoutVolume: () =>
          new Problem("volume_deleted", "The volume of that deployment was deleted; create a new deployment."),
        seal: (id) => sealEnv(deps.secrets, id, env),
        receivedAt,
        note: `back to deployment ${earlier.id}`,
      });
      deps.log.info({ requestId: request.id, serviceId, deploymentId: deployment.id, of: earlier.id }, "rolling back");
      return reply
        .code(201)
        .header("location", `${deps.publicUrl()}/v1/services/${serviceId}/deployments/${deployment.id}`)
        .send(deploymentRecord(deps, service, deployment, rollOut));
    },
  });
}

async function chooseEarlier(
  { store }: Pick<RecordDeps, "store">,
  service: Service,
  requested: string | undefined,
): Promise<Deployment> {
  if (requested === undefined) {
    const before = readyBefore(store.view, service);
    if (before !== null) return before;
    throw new Problem("no_earlier_deployment", "No other deployment of the service was ever ready; name one.");
  }
  const named = isId(requested) ? await store.get("deployments", requested) : null;
  if (named === null || named.value.serviceId !== service.id) {
    throw invalidRequest([{ pointer: "#/deployment_id", detail: "the service has no such deployment" }]);
  }
  return named.value;
}
