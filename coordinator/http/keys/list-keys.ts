/** GET /v1/keys: the user's keys, newest first, with those that were revoked or expired of late. */
import { keyRecord, keySchema } from "../../public/key-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { maySeeKey } from "./find-key.ts";

const schema = {
  operationId: "listKeys",
  summary: "List your access keys",
  tags: ["keys"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(keySchema), ...refusals(401, 403, 422, 429, 503) },
};

export function listKeys(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/keys",
    schema,
    onRequest: requireKey(deps, "keys"),
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const keys = [...deps.store.view.accessKeys.values()]
        .map(({ value }) => value)
        .filter((key) => maySeeKey(caller, key))
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
      return reply.send(cutPage(keys, request.query, keyRecord));
    },
  });
}
