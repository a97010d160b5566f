/** GET /v1/fleet: what waits and runs, who leads, which versions there are, and whether requeueing is stopped. */
import { MASS_FAILURE } from "../../domain/circuit-breaker.ts";
import { queuesByService } from "../../domain/queue-summary.ts";
import { REQUEUE_ORDER } from "../../domain/requeue-order.ts";
import { type FleetFacts, fleetRecord, fleetSchema } from "../../public/fleet-record.ts";
import { refusals } from "../../public/refusals.ts";
import type { Coordinators } from "../../store/coordinators.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "getFleet",
  summary: "Get the state of the fleet",
  tags: ["nodes"],
  response: { 200: fleetSchema, ...refusals(401, 403, 429, 503) },
};

export interface CoordinatorDeps {
  /** Those that agents are linked to. */
  readonly coordinators: () => Promise<Coordinators>;
}

export function getFleet(app: App, deps: CallerDeps & CoordinatorDeps): void {
  app.route({
    method: "GET",
    url: "/v1/fleet",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (_request, reply) => {
      const { view } = deps.store;
      const facts: FleetFacts = {
        coordinators: await deps.coordinators(),
        queues: queuesByService(
          [...view.tasks.begun()].map(({ value }) => value),
          view.tasks.firstWaits(),
        ),
        openSince: view.circuitBreakers.get(MASS_FAILURE)?.value.openSince ?? null,
        resumedUntil: view.requeueOrders.get(REQUEUE_ORDER)?.value.until ?? null,
      };
      return reply.send(fleetRecord(view, facts, deps.clock.now()));
    },
  });
}
