/**
 * DELETE /v1/services/:id. The record is marked, which no new task gets past; the scheduler ends what is left: open
 * tasks are cancelled and workloads stopped. Deleting twice is no error.
 */
import { z } from "zod";
import { endOfRollOut } from "../../deployments/begin-deployment.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { deleted } from "../../domain/service.ts";
import { remove, replace } from "../../store/change.ts";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { refusals } from "../wire/refusals.ts";
import { freeName } from "./claim-name.ts";
import { readService } from "./find-service.ts";

const TRIES = 20;

const schema = {
  operationId: "deleteService",
  summary: "Delete a service",
  description:
    "Cancels its open tasks. The record stays readable for a month, in state `Deleted`; its deployments for a day.",
  tags: ["services"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 404, 503) },
};

export function deleteService(app: App, deps: HttpDeps): void {
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

async function markDeleted(deps: HttpDeps, key: AccessKey, id: string, requestId: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const service = await readService(deps.store, key, id);
    if (service.value.state.kind === "deleted") return;
    const now = deps.clock.now();
    const ended = await endOfRollOut(deps.store, service.value.nextDeploymentId, "the service was deleted", now);
    const freed = await freeName(deps.store, service.value);
    const source = await deps.store.get("service-sources", id);
    const unlinked = source === null ? [] : [remove("service-sources", source)];
    const changes = [replace("services", service, deleted(service.value, now)), ...ended, ...freed, ...unlinked];
    if ((await deps.store.commit(changes)).kind === "conflict") continue;
    deps.log.info({ requestId, serviceId: id }, "service deleted");
    return;
  }
  throw new Problem("overloaded", "The service changes too quickly; ask again in a moment.");
}
