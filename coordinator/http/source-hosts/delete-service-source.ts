/** DELETE /v1/services/:id/source: the service is built from no repository; what it runs stays. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { refusals } from "../../public/refusals.ts";
import { removeRecord } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readSource } from "./find-source.ts";

const schema = {
  operationId: "deleteServiceSource",
  summary: "Separate a service from its repository",
  tags: ["sources"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 404, 429, 503) },
};

export function deleteServiceSource(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/services/:id/source",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { id: serviceId } = request.params;
      await removeRecord(deps.store, "service-sources", () => readSource(deps.store, key, serviceId));
      audit(deps.log, "service_source_removed", { requestId: request.id, serviceId, byKeyId: key.id });
      return reply.code(204).send(null);
    },
  });
}
