/** GET /v1/shells: a team's shells, newest first, without deleted ones and without passwords. */
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { shellRecord, shellSchema } from "../../public/shell-record.ts";
import { type CallerDeps, requireKey, teamOf } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { ShellDeps } from "./shell-offer.ts";

const schema = {
  operationId: "listShells",
  summary: "List shells",
  tags: ["shells"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(shellSchema), ...refusals(401, 403, 404, 422, 429, 503) },
};

export function listShells(app: App, deps: CallerDeps & ShellDeps): void {
  app.route({
    method: "GET",
    url: "/v1/shells",
    schema,
    onRequest: requireKey(deps, "shells"),
    handler: async (request, reply) => {
      const { view } = deps.store;
      const shells = [...view.shells.of(teamOf(deps, request))]
        .map(({ value }) => value)
        .filter(({ state }) => state.kind !== "deleted")
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return reply.send(cutPage(shells, request.query, (one) => shellRecord(view, deps.shells, one)));
    },
  });
}
