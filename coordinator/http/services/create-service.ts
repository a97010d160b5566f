/** POST /v1/services */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { newService, type Service } from "../../domain/service.ts";
import { SERVICE_NAME, SERVICE_NAME_RULE } from "../../domain/service-name.ts";
import { refusals } from "../../public/refusals.ts";
import {
  retentionSchema,
  type ServiceRecordSource,
  serviceRecord,
  serviceSchema,
} from "../../public/service-record.ts";
import { create } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { countHeld } from "../limits/count-held.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { claimName } from "./claim-name.ts";

const schema = {
  operationId: "createService",
  summary: "Create a service",
  tags: ["services"],
  body: z.strictObject({
    service_name: z
      .string()
      .regex(SERVICE_NAME, SERVICE_NAME_RULE)
      .describe(
        `${SERVICE_NAME_RULE}. Unique in the team, whatever its upper and lower case (\`service_name_taken\`).`,
      ),
    result_retention_seconds: retentionSchema.optional(),
  }),
  response: { 201: serviceSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function createService(app: App, deps: CallerDeps & RecordDeps & ServiceRecordSource & QuotaDeps): void {
  app.route({
    method: "POST",
    url: "/v1/services",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      const now = deps.clock.now();
      const service = newService({
        id: newId(now),
        teamId,
        name: request.body.service_name,
        creatorId: keyOf(request).userId,
        createdAt: now,
        ...retentionOf(request.body.result_retention_seconds),
      });
      await keep(deps, service);
      deps.log.info({ requestId: request.id, serviceId: service.id }, "service created");
      return reply
        .code(201)
        .header("location", `${deps.publicUrl()}/v1/services/${service.id}`)
        .send(serviceRecord(deps, service));
    },
  });
}

function retentionOf(seconds: number | undefined): Pick<Service, "resultRetentionMs"> {
  return seconds === undefined ? {} : { resultRetentionMs: 1000 * seconds };
}

async function keep(
  { store, quotas, clock }: QuotaDeps & Pick<RecordDeps, "store" | "clock">,
  service: Service,
): Promise<void> {
  const held = countHeld(store.view, "servicesPerTeam", service.teamId, clock.now());
  const release = quotas.take("servicesPerTeam", service.teamId, held);
  try {
    await update(store, {
      read: () => claimName(store, service),
      decide: (claim) => [create("services", service), claim],
    });
  } finally {
    release();
  }
}
