/**
 * Creates a private repository of the demo prover's template in the account of a connection. One of that name that the connection has
 * already is found first: the authorization, which is used up by creating, is not requested from the user in vain.
 */
import { api } from "../api/client.ts";
import { ApiError, dataOf } from "../api/problem.ts";
import { queryClient } from "../session/query-client.ts";
import { repositoriesQuery, type SourceRepository } from "../sources/sources-query.ts";
import { repositoryNamed } from "./repository-named.ts";

export async function createRepository(connectionId: string, name: string): Promise<SourceRepository> {
  // Where they cannot be listed, creating says why.
  const listed = await queryClient
    .fetchQuery({ ...repositoriesQuery(connectionId), staleTime: 0, retry: false })
    .catch(() => null);
  const taken = repositoryNamed(name, listed?.items ?? []);
  if (taken !== null) {
    const detail = `The account has the repository ${taken.name} already. Choose another name.`;
    throw new ApiError(409, { code: "repository_name_taken", detail });
  }
  const params = { path: { id: connectionId } };
  const body = { name, template: "poseidon" as const };
  return await dataOf(api.POST("/v1/source-connections/{id}/repositories", { params, body }));
}
