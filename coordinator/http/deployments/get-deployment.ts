/** GET /v1/services/:id/deployments/:deploymentId */
import { z } from "zod";
import { type DeploymentRecordSource, deploymentRecord, deploymentSchema } from "../../public/deployment-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readDeployment } from "./find-deployment.ts";

const schema = {
  operationId: "getDeployment",
  summary: "Get a deployment",
  tags: ["deployments"],
  params: z.object({ id: z.string(), deploymentId: z.string() }),
  response: { 200: deploymentSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getDeployment(app: App, deps: CallerDeps & DeploymentRecordSource): void {
  app.route({
    method: "GET",
    url: "/v1/services/:id/deployments/:deploymentId",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const { id, deploymentId } = request.params;
      const { value: service } = await readVisible(deps.store, keyOf(request), "services", id);
      const deployment = await readDeployment(deps.store, service, deploymentId);
      const rollOut = await deps.store.get("roll-outs", deployment.id);
      return reply.send(deploymentRecord(deps, service, deployment, rollOut?.value ?? null));
    },
  });
}
