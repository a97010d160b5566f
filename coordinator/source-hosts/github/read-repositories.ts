/** Reads repositories as GitHub has them at this moment: by id, never by a name that was stored. */
import { REPOSITORIES_PER_CONNECTION } from "../../domain/source-connection.ts";
import { type ApiResponse, expectBody, type HostApi, messageOf } from "../host-api.ts";
import type { ReadableInstallation, RepositoryRef, SourceRepository, UserToken } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import { type GithubRepository, installationSchema, repositoriesSchema, repositoryOf } from "./github-records.ts";
import type { InstallationTokens } from "./installation-tokens.ts";

const PER_PAGE = 100;
const PAGES_MAX = 10;

/**
 * What the user may push to in the installation, by the user's own token. To read is not enough: what is built is reported at the
 * repository's commits, in the app's name.
 */
export async function readInstallation(
  api: HostApi,
  tokens: InstallationTokens,
  { token }: UserToken,
  installationId: string,
): Promise<ReadableInstallation> {
  const path = `/user/installations/${installationId}/repositories`;
  const { all, total } = await readPages(async (page) => {
    const response = await api.send({ method: "GET", path: path + page, token });
    // Of another account's installation GitHub says nothing to the user.
    if (response.status === 403 || response.status === 404) {
      throw new SourceHostError("not_listed", new Error(messageOf(response.body)));
    }
    if (response.status === 401) throw new SourceHostError("authorization_failed");
    return response;
  });
  const installation = await tokens.sendAsApp({ method: "GET", path: `/app/installations/${installationId}` });
  if (installation.status === 401) throw new SourceHostError("app_rejected");
  if (installation.status === 404) throw new SourceHostError("revoked");
  const { id, account } = expectBody(installation, 200, installationSchema);
  if (id !== installationId) throw new SourceHostError("host_invalid");
  const own = all.filter(({ permissions }) => permissions?.push === true);
  const shown = [...own]
    .sort((a, b) => ((a.pushed_at ?? "") < (b.pushed_at ?? "") ? 1 : -1))
    .slice(0, REPOSITORIES_PER_CONNECTION);
  return {
    installationId,
    account,
    repositories: shown.map(repositoryOf),
    omitted: Math.max(0, total - all.length) + own.length - shown.length,
  };
}

export async function listRepositories(
  tokens: InstallationTokens,
  installationId: string,
): Promise<readonly SourceRepository[]> {
  const scope = { installationId, repositoryId: null, permissions: { metadata: "read" } } as const;
  const { all } = await readPages((page) =>
    tokens.send(scope, { method: "GET", path: `/installation/repositories${page}` }),
  );
  return all.map(repositoryOf);
}

/**
 * The repository of that id, with a token for it alone: GitHub lists what such a token opens. So one that was transferred,
 * deleted or removed from the installation is not found, and no other that has its name by now is taken for it.
 */
export async function readRepository(
  tokens: InstallationTokens,
  { installationId, repositoryId }: Pick<RepositoryRef, "installationId" | "repositoryId">,
): Promise<SourceRepository> {
  const scope = { installationId, repositoryId, permissions: { contents: "read" } } as const;
  const response = await tokens.send(scope, { method: "GET", path: "/installation/repositories" });
  const [found] = expectBody(response, 200, repositoriesSchema).repositories;
  if (found === undefined || found.id !== repositoryId) throw new SourceHostError("repository_gone");
  if (found.fork) throw new SourceHostError("repository_is_fork");
  return repositoryOf(found);
}

/** `total` is how many there are, also where not all were read. */
async function readPages(
  read: (query: string) => Promise<ApiResponse>,
): Promise<{ readonly all: readonly GithubRepository[]; readonly total: number }> {
  const all: GithubRepository[] = [];
  let total = 0;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const response = await read(`?per_page=${PER_PAGE}&page=${page}`);
    const { repositories, total_count } = expectBody(response, 200, repositoriesSchema);
    total = total_count;
    all.push(...repositories);
    if (repositories.length < PER_PAGE) break;
  }
  return { all, total };
}
