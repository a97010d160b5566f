/** POST /v1/source-connections/:id/repositories: a new repository, with the files of a template. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { refusals } from "../../public/refusals.ts";
import { repositoryRecord, sourceRepositorySchema } from "../../public/source-records.ts";
import { readTemplate, TEMPLATES } from "../../source-hosts/read-template.ts";
import { openSourceAccess } from "../../source-hosts/source-access.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { refuseSourceError, type SourceHostDeps } from "./find-source.ts";

const schema = {
  operationId: "createSourceRepository",
  summary: "Create a repository from a template",
  description:
    "A private repository in the account of the connection, which has it from then on. It takes an authorization that the caller " +
    "gave at the host within the last 15 minutes, by connecting the account or renewing the connection, and uses it up.",
  tags: ["sources"],
  params: z.object({ id: z.string() }),
  body: z.strictObject({
    name: z.string().min(1).max(100).describe("In the account; the host says which names it accepts."),
    template: z.enum(TEMPLATES).describe("`poseidon` is the demo prover."),
  }),
  response: { 201: sourceRepositorySchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export interface TemplateDeps {
  /** Has a folder for each template of new repositories; it may be absent. */
  readonly templatesFolder: string;
}

export function createSourceRepository(
  app: App,
  deps: CallerDeps & RecordDeps & SourceHostDeps & SecretDeps & TemplateDeps,
): void {
  app.route({
    method: "POST",
    url: "/v1/source-connections/:id/repositories",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { sourceHosts: hosts, store } = deps;
      const { id: byKeyId, userId } = keyOf(request);
      const { value: connection } = await readVisible(store, keyOf(request), "source-connections", request.params.id);
      const { name, template } = request.body;
      const files = await readTemplate(deps.templatesFolder, template);
      const repository = await openSourceAccess({ ...deps, hosts })
        .createRepository(connection.id, userId, { name, files })
        .catch(refuseSourceError(hosts, connection.host));
      audit(deps.log, "source_repository_created", {
        requestId: request.id,
        connectionId: connection.id,
        repositoryId: repository.id,
        userId,
        byKeyId,
      });
      return reply.code(201).send(repositoryRecord(repository));
    },
  });
}
