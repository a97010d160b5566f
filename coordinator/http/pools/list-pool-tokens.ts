/** GET /v1/pools/:id/tokens: those that have not ended, newest first. Never their texts. */
import { z } from "zod";
import { isPoolTokenOver } from "../../domain/pool-token.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { poolTokenRecord, poolTokenSchema } from "../../public/pool-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { type PoolDeps, readPool } from "./find-pool.ts";

const schema = {
  operationId: "listPoolTokens",
  summary: "List a pool's join tokens that have not ended",
  tags: ["pools"],
  params: z.object({ id: z.string().describe("The pool's name.") }),
  querystring: pageQuerySchema,
  response: { 200: pageSchema(poolTokenSchema), ...refusals(401, 403, 404, 422, 429, 503) },
};

export function listPoolTokens(app: App, deps: CallerDeps & PoolDeps): void {
  app.route({
    method: "GET",
    url: "/v1/pools/:id/tokens",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { value: pool } = await readPool(deps, request.params.id);
      const now = deps.clock.now();
      const tokens = [...deps.store.view.poolTokens.of(pool.id)]
        .map(({ value }) => value)
        .filter((token) => !isPoolTokenOver(token, now))
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return reply.send(cutPage(tokens, request.query, poolTokenRecord));
    },
  });
}
