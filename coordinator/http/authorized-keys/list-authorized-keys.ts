/** GET /v1/me/authorized-keys: the caller's keys for shells, oldest first. */
import { authorizedKeyRecord, authorizedKeySchema } from "../../public/authorized-key-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listAuthorizedKeys",
  summary: "List your public keys for shells",
  tags: ["shells"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(authorizedKeySchema), ...refusals(401, 403, 422, 429, 503) },
};

export function listAuthorizedKeys(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/me/authorized-keys",
    schema,
    onRequest: requireUnboundKey(deps, "shells"),
    handler: async (request, reply) => {
      const user = deps.store.view.users.get(keyOf(request).userId)?.value;
      return reply.send(cutPage([...(user?.authorizedKeys ?? [])], request.query, authorizedKeyRecord));
    },
  });
}
