/** From a branch, tag or commit to one commit. What the build reads from then on is named by the commit. */
import { parseGitRef } from "../git-ref.ts";
import { type ApiResponse, expectBody, type HostApi } from "../host-api.ts";
import { commitOf } from "../host-records.ts";
import type { RepositoryRef, SourceCommit } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import { commitSchema, refSchema } from "./gitlab-records.ts";
import { readProject } from "./read-projects.ts";

export async function resolveCommit(
  api: HostApi,
  ref: RepositoryRef,
  branch: string,
  gitRef: string,
): Promise<SourceCommit> {
  const parsed = parseGitRef(gitRef);
  if (parsed === null) throw new SourceHostError("ref_invalid");
  await readProject(api, ref);
  const token = ref.credential ?? "";
  const get = async (path: string): Promise<ApiResponse> =>
    known(await api.send({ method: "GET", path: `/projects/${ref.repositoryId}/repository${path}`, token }));
  const readHead = async (kind: "branches" | "tags", name: string) =>
    expectBody(await get(`/${kind}/${encodeURIComponent(name)}`), 200, refSchema).commit;
  if (parsed.kind !== "commit") {
    const { id, message, author_name } = await readHead(parsed.kind === "tag" ? "tags" : "branches", parsed.name);
    return commitOf(id, message, author_name ?? "");
  }
  const { id, message, author_name } = expectBody(await get(`/commits/${parsed.name}`), 200, commitSchema);
  // Forks share their objects with the project: a commit that is found may be of one of them alone.
  const head = await readHead("branches", branch);
  const base = expectBody(await get(`/merge_base?refs[]=${head.id}&refs[]=${id}`), 200, commitSchema);
  if (id !== parsed.name || base.id !== id) throw new SourceHostError("ref_unknown");
  return commitOf(id, message, author_name ?? "");
}

/** The project was found a moment ago: what is absent, or not valid, is the commit. */
function known(response: ApiResponse): ApiResponse {
  if (response.status === 404 || response.status === 400) throw new SourceHostError("ref_unknown");
  return response;
}
