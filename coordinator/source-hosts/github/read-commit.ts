/** From a branch, tag or commit to one commit. What the build reads from then on is named by the commit. */
import { z } from "zod";
import { encodeRefName, parseGitRef } from "../git-ref.ts";
import { type ApiResponse, expectBody } from "../host-api.ts";
import { commitIdSchema, commitOf } from "../host-records.ts";
import type { CommitStatus, RepositoryRef, SourceCommit } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import type { InstallationTokens } from "./installation-tokens.ts";
import { readRepository } from "./read-repositories.ts";

/** GitHub's own. */
const DESCRIPTION_LENGTH_MAX = 140;

const commitSchema = z.object({
  sha: commitIdSchema,
  commit: z.object({ message: z.string(), author: z.object({ name: z.string().optional() }).nullable() }),
});
const comparisonSchema = z.object({ status: z.string() });

export async function resolveCommit(
  tokens: InstallationTokens,
  ref: RepositoryRef,
  branch: string,
  gitRef: string,
): Promise<SourceCommit> {
  const parsed = parseGitRef(gitRef);
  if (parsed === null) throw new SourceHostError("ref_invalid");
  const { fullName } = await readRepository(tokens, ref);
  const scope = { ...ref, permissions: { contents: "read" } } as const;
  const get = (path: string) => tokens.send(scope, { method: "GET", path: `/repos/${fullName}${path}` });
  const place = { branch: "heads/", tag: "tags/", commit: "" }[parsed.kind];
  const { sha, commit } = expectBody(
    known(await get(`/commits/${place}${encodeRefName(parsed.name)}`)),
    200,
    commitSchema,
  );
  if (parsed.kind === "commit") {
    // GitHub finds commits of all forks by their id in each of them.
    const path = `/compare/${encodeURIComponent(branch)}...${sha}?per_page=1`;
    const { status } = expectBody(known(await get(path)), 200, comparisonSchema);
    if (sha !== parsed.name || (status !== "identical" && status !== "behind"))
      throw new SourceHostError("ref_unknown");
  }
  return commitOf(sha, commit.message, commit.author?.name ?? "");
}

export async function setCommitStatus(
  tokens: InstallationTokens,
  ref: RepositoryRef,
  commit: string,
  { state, targetUrl, description, context }: CommitStatus,
): Promise<void> {
  if (!commitIdSchema.safeParse(commit).success) throw new SourceHostError("ref_invalid");
  const { fullName } = await readRepository(tokens, ref);
  const scope = { ...ref, permissions: { statuses: "write" } } as const;
  const shortened = description.slice(0, DESCRIPTION_LENGTH_MAX);
  const body = { state, ...(targetUrl !== null && { target_url: targetUrl }), description: shortened, context };
  const response = await tokens.send(scope, { method: "POST", path: `/repos/${fullName}/statuses/${commit}`, body });
  expectBody(known(response), 201, z.object({ state: z.string() }));
}

/** The repository was found a moment ago: what is absent, or not valid, is the commit. */
function known(response: ApiResponse): ApiResponse {
  if ([404, 409, 422].includes(response.status)) throw new SourceHostError("ref_unknown");
  return response;
}
