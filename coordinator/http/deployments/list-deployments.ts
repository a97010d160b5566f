/** GET /v1/services/:id/deployments, newest first. */
import { z } from "zod";
import type { Deployment } from "../../domain/deployment.ts";
import { type DeploymentRecordSource, deploymentRecord, deploymentSchema } from "../../public/deployment-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listDeployments",
  summary: "List a service's deployments",
  tags: ["deployments"],
  params: z.object({ id: z.string() }),
  querystring: pageQuerySchema,
  response: { 200: pageSchema(deploymentSchema), ...refusals(401, 403, 404, 422, 503) },
};

export function listDeployments(app: App, deps: CallerDeps & DeploymentRecordSource): void {
  app.route({
    method: "GET",
    url: "/v1/services/:id/deployments",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const { value: service } = await readVisible(deps.store, keyOf(request), "services", request.params.id);
      const deployments = [...deps.store.view.deployments.values()]
        .map(({ value }) => value)
        .filter(({ serviceId }) => serviceId === service.id)
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      const { rollOuts } = deps.store.view;
      const encode = (one: Deployment) => deploymentRecord(deps, service, one, rollOuts.get(one.id)?.value ?? null);
      return reply.send(cutPage(deployments, request.query, encode));
    },
  });
}
