/** GET /v1/me/accounts: with which accounts the caller's user logs in. */
import { accountRecord, accountSchema } from "../../public/account-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listAccounts",
  summary: "List the accounts with which you log in",
  tags: ["login"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(accountSchema), ...refusals(401, 403, 422, 429, 503) },
};

export function listAccounts(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/me/accounts",
    schema,
    onRequest: requireUnboundKey(deps, "keys"),
    handler: async (request, reply) => {
      const accounts = [...deps.store.view.accounts.of(keyOf(request).userId)]
        .map(({ value }) => value)
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
      return reply.send(cutPage(accounts, request.query, accountRecord));
    },
  });
}
