/** Reads projects as GitLab has them at this moment: by id, never by a path that was stored. */
import { REPOSITORIES_PER_CONNECTION } from "../../domain/source-connection.ts";
import { type ApiResponse, expectBody, type HostApi } from "../host-api.ts";
import type { ReadableInstallation, RepositoryRef, SourceRepository, UserToken } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import { type GitlabProject, projectSchema, repositoryOf, userSchema } from "./gitlab-records.ts";

const PER_PAGE = 100;
const PAGES_MAX = 10;
/** Developer: who may push, and so decides what is built. */
const ACCESS_LEVEL_MIN = 30;

/** The user's own account, and what the user may read: GitLab has no installations. */
export async function readAccount(
  api: HostApi,
  token: UserToken,
  accountId: string | null,
): Promise<ReadableInstallation> {
  const { id, username } = expectBody(
    authorized(await api.send({ method: "GET", path: "/user", token: token.token })),
    200,
    userSchema,
  );
  if (accountId !== null && accountId !== id) throw new SourceHostError("not_listed");
  const { all, total } = await readPages(api, token);
  const repositories = all.slice(0, REPOSITORIES_PER_CONNECTION).map(repositoryOf);
  return {
    installationId: id,
    account: { id, login: username, kind: "user" },
    repositories,
    omitted: Math.max(0, total - repositories.length),
  };
}

/** With the user's token, while it is stored: the tokens of projects open one project each. */
export async function listProjects(api: HostApi, token: UserToken | null): Promise<readonly SourceRepository[]> {
  if (token === null) throw new SourceHostError("authorization_needed");
  return (await readPages(api, token)).all.map(repositoryOf);
}

/** By the project's own token. */
export async function readProject(
  api: HostApi,
  { repositoryId, credential }: Pick<RepositoryRef, "repositoryId" | "credential">,
): Promise<SourceRepository> {
  if (credential === null) throw new SourceHostError("revoked");
  const response = await api.send({ method: "GET", path: `/projects/${repositoryId}`, token: credential });
  const project = expectBody(response, 200, projectSchema);
  if (project.id !== repositoryId) throw new SourceHostError("repository_gone");
  const repository = repositoryOf(project);
  if (repository.isFork) throw new SourceHostError("repository_is_fork");
  return repository;
}

/** To a request with the user's token. */
export function authorized(response: ApiResponse): ApiResponse {
  if (response.status === 401) throw new SourceHostError("authorization_needed");
  return response;
}

/** Those with the last activity first. */
async function readPages(
  api: HostApi,
  { token }: UserToken,
): Promise<{ readonly all: readonly GitlabProject[]; readonly total: number }> {
  const all: GitlabProject[] = [];
  let total = 0;
  const query = `membership=true&archived=false&min_access_level=${ACCESS_LEVEL_MIN}&order_by=last_activity_at&sort=desc`;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const path = `/projects?${query}&per_page=${PER_PAGE}&page=${page}`;
    const response = authorized(await api.send({ method: "GET", path, token }));
    const projects = expectBody(response, 200, projectSchema.array().max(PER_PAGE));
    all.push(...projects);
    // GitLab counts no more than ten thousand.
    total = Number(response.headers.get("x-total") ?? 0);
    if (projects.length < PER_PAGE) break;
  }
  return { all, total: Math.max(total, all.length) };
}
