/** GET /v1/fleet/demand: what cannot be placed now, by what it requires of a machine. */
import type { DemandDeps } from "../../progress/demand-board.ts";
import { demandRecord, demandSchema } from "../../public/demand-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "getFleetDemand",
  summary: "Get what the fleet lacks",
  description:
    "Workloads that are wanted now and for which no machine has room, by GPU type, count, memory and labels, with the " +
    "reason that their tasks wait. What fits on a machine is not listed: it is placed at once. Builds hold no slots, so " +
    "they are not listed either.",
  tags: ["nodes"],
  response: { 200: demandSchema, ...refusals(401, 403, 429, 503) },
};

export function getDemand(app: App, deps: CallerDeps & DemandDeps): void {
  app.route({
    method: "GET",
    url: "/v1/fleet/demand",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (_request, reply) => {
      const now = deps.clock.now();
      return reply.send(demandRecord(deps.demand.now(now), now));
    },
  });
}
