/** GET /v1/operators/users: all users, by name. */
import { z } from "zod";
import { operatedUser, operatedUserSchema } from "../../public/operator-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { factsOfUsers, NO_FACTS } from "./user-facts.ts";

const schema = {
  operationId: "listOperatedUsers",
  summary: "List all users",
  tags: ["operators"],
  querystring: pageQuerySchema.extend({
    name: z.string().min(1).max(100).optional().describe("Users whose names have these characters."),
  }),
  response: { 200: pageSchema(operatedUserSchema), ...refusals(401, 403, 422, 429, 503) },
};

export function listUsers(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/operators/users",
    schema,
    onRequest: requireUnboundKey(deps, "admin"),
    handler: async (request, reply) => {
      const { view } = deps.store;
      const part = request.query.name?.toLowerCase() ?? "";
      const users = [...view.users.values()]
        .filter(({ value }) => value.deleted === undefined)
        .map(({ value }) => value)
        .filter(({ name }) => name.toLowerCase().includes(part))
        .sort((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1));
      const facts = factsOfUsers(view, deps.clock.now());
      return reply.send(cutPage(users, request.query, (user) => operatedUser(user, facts.get(user.id) ?? NO_FACTS)));
    },
  });
}
