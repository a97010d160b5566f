/** The one place that knows the public JSON of connections to source hosts and of services' sources. */
import { z } from "zod";
import type { ServiceSource } from "../domain/service-source.ts";
import { hasRepository, type SourceConnection } from "../domain/source-connection.ts";
import type { SourceRepository } from "../source-hosts/source-host.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

const repositoryIdSchema = z.string().describe("The source host's own id, which no renaming changes.");

export const sourceHostSchema = z
  .object({
    name: z.string().describe("In `/v1/source-hosts/{host}`."),
    title: z.string().describe("For a person."),
    url: z.string().describe("Followed by `/` and a repository's name it is the repository's page."),
  })
  .meta({ id: "SourceHost" });

export const sourceConnectionSchema = z
  .object({
    connection_id: idSchema,
    team_id: idSchema,
    host: z.string(),
    account: z.string().describe("What the host called the account when it was linked."),
    user_id: idSchema.describe("Who linked it: its repositories are those that this user may read."),
    state: z
      .enum(["active", "suspended", "uninstalled"])
      .describe("`uninstalled` at the host: it is not used any more; connect the account again."),
    repositories: z.int(),
    omitted_repositories: z.int().describe("How many more the user may read than a connection has."),
    services: z
      .array(z.object({ service_id: idSchema, service_name: z.string() }))
      .describe("Those that are built from its repositories."),
    created: timestampSchema,
    linked: timestampSchema.describe("When the repositories were read."),
  })
  .meta({ id: "SourceConnection" });

export const sourceRepositorySchema = z
  .object({
    repository_id: repositoryIdSchema,
    name: z.string().describe("`owner/name`; with the groups of GitLab, of more parts."),
    default_branch: z.string(),
    private: z.boolean(),
    fork: z.boolean().describe("Forks are not built."),
  })
  .meta({ id: "SourceRepository" });

export const serviceSourceSchema = z
  .object({
    service_id: idSchema,
    connection_id: idSchema,
    host: z.string(),
    repository_id: repositoryIdSchema,
    repository_name: z.string().describe("`owner/name` when it was set."),
    branch: z.string(),
    deploy_on_push: z.boolean(),
    base_dir: z.string().describe("Folder of the repository that is built; empty for all of it."),
    connected: z
      .boolean()
      .describe("Whether the connection stands and has the repository; builds fail while it does not."),
    user_id: idSchema.describe("Who set it."),
    set: timestampSchema,
  })
  .meta({ id: "ServiceSource" });

export function connectionRecord(
  { services, serviceSources }: Pick<View, "services" | "serviceSources">,
  connection: SourceConnection,
): z.output<typeof sourceConnectionSchema> {
  return {
    connection_id: connection.id,
    team_id: connection.teamId,
    host: connection.host,
    account: connection.account.login,
    user_id: connection.userId,
    state: connection.state.kind,
    repositories: connection.repositoryIds.length,
    omitted_repositories: connection.omittedRepositories,
    services: [...serviceSources.values()]
      .filter(({ value }) => value.connectionId === connection.id)
      .map(({ value: { id } }) => ({ service_id: id, service_name: services.get(id)?.value.name ?? "" })),
    created: timestamp(connection.createdAt),
    linked: timestamp(connection.linkedAt),
  };
}

export function repositoryRecord(repository: SourceRepository): z.output<typeof sourceRepositorySchema> {
  return {
    repository_id: repository.id,
    name: repository.fullName,
    default_branch: repository.defaultBranch,
    private: repository.isPrivate,
    fork: repository.isFork,
  };
}

/** `connection` is null where it was deleted. */
export function sourceRecord(
  source: ServiceSource,
  connection: SourceConnection | null,
): z.output<typeof serviceSourceSchema> {
  const isConnected = connection?.state.kind === "active" && hasRepository(connection, source.repositoryId);
  return {
    service_id: source.id,
    connection_id: source.connectionId,
    host: source.host,
    repository_id: source.repositoryId,
    repository_name: source.repositoryName,
    branch: source.branch,
    deploy_on_push: source.deployOnPush,
    base_dir: source.baseDir,
    connected: isConnected,
    user_id: source.userId,
    set: timestamp(source.setAt),
  };
}
