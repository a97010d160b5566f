/**
 * DELETE /v1/services/:id. The record is marked, which no new task gets past; the scheduler ends what is left: open
 * tasks are cancelled and workloads stopped. Deleting twice is no error.
 */
import { z } from "zod";
import { endOfRollOut, openRollOut } from "../../deployments/begin-deployment.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { deleted } from "../../domain/service.ts";
import { refusals } from "../../public/refusals.ts";
import { remove, replace } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { freeName } from "./claim-name.ts";

const schema = {
  operationId: "deleteService",
  summary: "Delete a service",
  description:
    "Cancels its open tasks. The record stays readable for a month, in state `Deleted`; its deployments for a day.",
  tags: ["services"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 404, 503) },
};

export function deleteService(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/services/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      await markDeleted(deps, keyOf(request), request.params.id, request.id);
      return reply.code(204).send(null);
    },
  });
}

async function markDeleted(deps: RecordDeps, key: AccessKey, id: string, requestId: string): Promise<void> {
  const { store, clock, log } = deps;
  const { isChanged } = await update(store, {
    read: async () => {
      const service = await readVisible(store, key, "services", id);
      const rollOut = await openRollOut(store, service.value.nextDeploymentId);
      const freed = await freeName(store, service.value);
      return { service, rollOut, freed, source: await store.get("service-sources", id) };
    },
    decide: ({ service, rollOut, freed, source }) => {
      if (service.value.state.kind === "deleted") return [];
      const now = clock.now();
      const ended = rollOut === null ? [] : [endOfRollOut(rollOut, "the service was deleted", now)];
      const unlinked = source === null ? [] : [remove("service-sources", source)];
      const marked = replace("services", service, deleted(service.value, now));
      return [marked, ...ended, ...freed, ...unlinked];
    },
  });
  if (isChanged) log.info({ requestId, serviceId: id }, "service deleted");
}
