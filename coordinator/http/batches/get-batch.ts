/** GET /v1/batches/:id: which tasks a batch became, for at least a day after it was accepted. */
import { z } from "zod";
import { batchRecord, batchSchema } from "../../public/batch-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "getBatch",
  summary: "Get a batch",
  description: "It is there for at least 25 hours. Its tasks are retained as others are.",
  tags: ["tasks"],
  params: z.object({ id: z.string() }),
  response: { 200: batchSchema, ...refusals(401, 403, 404, 503) },
};

export function getBatch(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "GET",
    url: "/v1/batches/:id",
    schema,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const { value } = await readVisible(deps.store, keyOf(request), "batches", request.params.id);
      return reply.code(200).send(batchRecord(value));
    },
  });
}
