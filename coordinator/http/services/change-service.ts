/** PATCH /v1/services/:id. What is left out stays. */
import { z } from "zod";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Service } from "../../domain/service.ts";
import { refusals } from "../../public/refusals.ts";
import {
  retentionSchema,
  type ServiceRecordSource,
  serviceRecord,
  serviceSchema,
} from "../../public/service-record.ts";
import { updateRecord } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";

const bodySchema = z.strictObject({ result_retention_seconds: retentionSchema.optional() });

const schema = {
  operationId: "changeService",
  summary: "Change a service",
  description: "Holds for tasks that are created from then on.",
  tags: ["services"],
  params: z.object({ id: z.string() }),
  body: bodySchema,
  response: { 200: serviceSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function changeService(app: App, deps: CallerDeps & RecordDeps & ServiceRecordSource): void {
  app.route({
    method: "PATCH",
    url: "/v1/services/:id",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const service = await change(deps, keyOf(request), request.params.id, request.body);
      deps.log.info({ requestId: request.id, serviceId: service.id }, "service changed");
      return reply.send(serviceRecord(deps, service));
    },
  });
}

async function change(
  { store }: Pick<RecordDeps, "store">,
  key: AccessKey,
  id: string,
  { result_retention_seconds: retentionS }: z.output<typeof bodySchema>,
): Promise<Service> {
  const { result } = await updateRecord(
    store,
    "services",
    () => readVisible(store, key, "services", id),
    (service) => {
      if (service.state.kind === "deleted") throw new Problem("service_deleted", "The service was deleted.");
      return retentionS === undefined ? service : { ...service, resultRetentionMs: 1000 * retentionS };
    },
  );
  return result;
}
