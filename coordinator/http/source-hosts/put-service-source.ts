/** PUT /v1/services/:id/source: what the service is built from. Repository and branch are looked up at the host. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { ServiceSource } from "../../domain/service-source.ts";
import { hasRepository, type SourceConnection } from "../../domain/source-connection.ts";
import { refusals } from "../../public/refusals.ts";
import { serviceSourceSchema, sourceRecord } from "../../public/source-records.ts";
import { normalizeBaseDir } from "../../source-hosts/base-dir.ts";
import { ensureCredential } from "../../source-hosts/ensure-credential.ts";
import { isRefName } from "../../source-hosts/git-ref.ts";
import { keptToken } from "../../source-hosts/link-grant.ts";
import { noticingEnd, readActive } from "../../source-hosts/noticing-end.ts";
import type { SourceRepository } from "../../source-hosts/source-host.ts";
import { SourceHostError } from "../../source-hosts/source-host-error.ts";
import { useRepository } from "../../source-hosts/use-repository.ts";
import { put, unchanged } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound, Problem } from "../problems/problem.ts";
import { refuseSourceError, type SourceHostDeps } from "./find-source.ts";

const bodySchema = z.strictObject({
  connection_id: z.string(),
  repository_id: z.string().max(100).describe("One of the connection's."),
  branch: z.string().refine(isRefName, "is no name of a branch"),
  deploy_on_push: z.boolean().default(false).describe("Whether a push to the branch is built and deployed."),
  base_dir: z
    .string()
    .refine((text) => normalizeBaseDir(text) !== null, "is no folder of the repository")
    .transform((text) => normalizeBaseDir(text) ?? "")
    .default("")
    .describe("Folder of the repository that is built; empty for all of it."),
});

const schema = {
  operationId: "putServiceSource",
  summary: "Set what a service is built from",
  tags: ["sources"],
  params: z.object({ id: z.string() }),
  body: bodySchema,
  response: { 200: serviceSourceSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function putServiceSource(app: App, deps: CallerDeps & RecordDeps & SourceHostDeps & SecretDeps): void {
  app.route({
    method: "PUT",
    url: "/v1/services/:id/source",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { value: service } = await readVisible(deps.store, key, "services", request.params.id);
      const { value: connection } = await readVisible(
        deps.store,
        key,
        "source-connections",
        request.body.connection_id,
      );
      // Of another team of the caller: its repositories are not this service's.
      if (connection.teamId !== service.teamId) throw notFound("source connection");
      const repository = await findRepository(deps, key, connection, request.body).catch(
        refuseSourceError(deps.sourceHosts, connection.host),
      );
      const source = await keep(deps, key, service.id, { requested: request.body, connection, repository });
      const { id: serviceId, repositoryId, branch } = source;
      audit(deps.log, "service_source_set", {
        requestId: request.id,
        serviceId,
        repositoryId,
        branch,
        byKeyId: key.id,
      });
      return reply.send(sourceRecord(source, connection));
    },
  });
}

type SourceRequest = z.output<typeof bodySchema>;

async function findRepository(
  deps: CallerDeps & RecordDeps & SourceHostDeps & SecretDeps,
  { userId }: AccessKey,
  { id }: SourceConnection,
  { repository_id: repositoryId, branch }: SourceRequest,
): Promise<SourceRepository> {
  const options = { ...deps, hosts: deps.sourceHosts };
  const connection = await readActive(deps, id);
  if (!hasRepository(connection.value, repositoryId)) throw new SourceHostError("repository_not_linked");
  const token = await keptToken(deps, connection.value, userId);
  await noticingEnd(options, connection, (host) =>
    ensureCredential(deps, host, { connectionId: id, repositoryId }, token),
  );
  return useRepository(options, connection, repositoryId, async (host, ref) => {
    const repository = await host.readRepository(ref);
    await host.resolveCommit(ref, branch, `refs/heads/${branch}`);
    return repository;
  });
}

/** In one commit with the service as it was read, so that none is made for a service that is just being deleted. */
async function keep(
  { store, clock }: Pick<RecordDeps, "store" | "clock">,
  key: AccessKey,
  serviceId: string,
  chosen: {
    readonly requested: SourceRequest;
    readonly connection: SourceConnection;
    readonly repository: SourceRepository;
  },
): Promise<ServiceSource> {
  const { requested, connection, repository } = chosen;
  const { result } = await update(store, {
    read: async () => {
      const service = await readVisible(store, key, "services", serviceId);
      return { service, before: await store.get("service-sources", serviceId) };
    },
    decide: ({ service, before }) => {
      if (service.value.state.kind === "deleted") throw new Problem("service_deleted", "The service was deleted.");
      const source: ServiceSource = {
        id: serviceId,
        teamId: service.value.teamId,
        connectionId: connection.id,
        host: connection.host,
        installationId: connection.installationId,
        repositoryId: repository.id,
        repositoryName: repository.fullName,
        branch: requested.branch,
        deployOnPush: requested.deploy_on_push,
        baseDir: requested.base_dir,
        userId: key.userId,
        setAt: clock.now(),
      };
      return { changes: [put("service-sources", before, source), unchanged("services", service)], result: source };
    },
  });
  return result;
}
