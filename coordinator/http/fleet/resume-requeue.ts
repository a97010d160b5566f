/** POST /v1/fleet/resume-requeue: resets the circuit breaker that holds tasks back when most of the fleet is lost at once. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { orderRequeue, REQUEUE_ORDER } from "../../domain/requeue-order.ts";
import { refusals } from "../../public/refusals.ts";
import { timestamp, timestampSchema } from "../../public/timestamp.ts";
import { put } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "resumeRequeue",
  summary: "Requeue the tasks of lost nodes, however many are lost",
  description:
    "Losing more than 55 % of at least four nodes within a minute stops requeueing until they return. Where they will " +
    "not, this says so: for ten minutes nodes that are away are lost, and what ran there goes to others.",
  tags: ["nodes"],
  response: {
    200: z.object({ requeue_until: timestampSchema }).meta({ id: "RequeueOrder" }),
    ...refusals(401, 403, 429, 503),
  },
};

export function resumeRequeue(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/fleet/resume-requeue",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { id: byKeyId, userId } = keyOf(request);
      const until = await order(deps, userId);
      audit(deps.log, "requeue_resumed", { requestId: request.id, byKeyId, until });
      return reply.send({ requeue_until: timestamp(until) });
    },
  });
}

async function order({ store, clock }: Pick<RecordDeps, "store" | "clock">, userId: string): Promise<number> {
  const { result } = await update(store, {
    read: () => store.get("requeue-orders", REQUEUE_ORDER),
    decide: (before) => {
      const after = orderRequeue(userId, clock.now());
      return { changes: [put("requeue-orders", before, after)], result: after.until };
    },
  });
  return result;
}
