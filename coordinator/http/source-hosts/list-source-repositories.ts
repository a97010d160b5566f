/** GET /v1/source-connections/:id/repositories: as the host has them now, of those that the linking user may read. */
import { z } from "zod";
import { hasRepository } from "../../domain/source-connection.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { repositoryRecord, sourceRepositorySchema } from "../../public/source-records.ts";
import { keptToken } from "../../source-hosts/link-grant.ts";
import { noticingEnd, readActive } from "../../source-hosts/noticing-end.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { refuseSourceError, type SourceHostDeps } from "./find-source.ts";

const schema = {
  operationId: "listSourceRepositories",
  summary: "List the repositories of a connection",
  tags: ["sources"],
  params: z.object({ id: z.string() }),
  querystring: pageQuerySchema,
  response: { 200: pageSchema(sourceRepositorySchema), ...refusals(401, 403, 404, 409, 422, 429, 503) },
};

export function listSourceRepositories(app: App, deps: CallerDeps & SourceHostDeps & SecretDeps): void {
  app.route({
    method: "GET",
    url: "/v1/source-connections/:id/repositories",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const { sourceHosts: hosts, store, clock } = deps;
      const key = keyOf(request);
      const { value } = await readVisible(store, key, "source-connections", request.params.id);
      const read = async () => {
        const connection = await readActive(deps, value.id);
        const token = await keptToken(deps, connection.value, key.userId);
        const all = await noticingEnd({ hosts, store, clock }, connection, (host) =>
          host.listRepositories(connection.value.installationId, token),
        );
        return all.filter(({ id }) => hasRepository(connection.value, id));
      };
      const repositories = await read().catch(refuseSourceError(hosts, value.host));
      return reply.send(cutPage(repositories, request.query, repositoryRecord));
    },
  });
}
