/** Before the body of a request to a service: counted by the budget of all bodies, and not waited for where there is no service. */
import type { FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import { type CallerDeps, keyOf } from "../access/caller.ts";
import { type BodyBudgetDeps, declaredBytes, FREE_BYTES } from "../body/body-budget.ts";
import { asItComes } from "../body/raw-bodies.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { findService } from "./find-service.ts";

export function countedBodyOfService(
  deps: CallerDeps & BodyBudgetDeps & Pick<RecordDeps, "store">,
  bytesMax: number,
): preParsingAsyncHookHandler {
  return async (request: FastifyRequest, reply, payload) => {
    if (declaredBytes(request.raw) <= FREE_BYTES) return payload;
    const key = keyOf(request);
    const { value: service } = await findService(deps.store, key, (request.params as { id: string }).id);
    return deps.bodyBudget.counted({
      body: asItComes(request),
      bytesMax,
      holder: { key, teamId: service.teamId },
      onceResponded: (release) => reply.raw.once("close", release),
    });
  };
}
