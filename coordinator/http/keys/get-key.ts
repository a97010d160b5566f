/** GET /v1/keys/:id */
import { z } from "zod";
import { keyRecord, keySchema } from "../../public/key-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readKey } from "./find-key.ts";

const schema = {
  operationId: "getKey",
  summary: "Get an access key",
  description: "Never its text, which was shown when it was created.",
  tags: ["keys"],
  params: z.object({ id: z.string() }),
  response: { 200: keySchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getKey(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/keys/:id",
    schema,
    onRequest: requireKey(deps, "keys"),
    handler: async (request, reply) =>
      reply.send(keyRecord((await readKey(deps.store, keyOf(request), request.params.id)).value)),
  });
}
