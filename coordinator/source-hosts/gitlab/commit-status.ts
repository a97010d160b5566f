/** The status of a commit, as GitLab shows it next to its pipelines. */
import { z } from "zod";
import type { CommitState } from "../../domain/release.ts";
import { expectBody, type HostApi, messageOf } from "../host-api.ts";
import { commitIdSchema } from "../host-records.ts";
import type { CommitStatus, RepositoryRef } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import { readProject } from "./read-projects.ts";

const DESCRIPTION_LENGTH_MAX = 255;
/** GitLab does not distinguish a failure from an error. */
const STATE_AT_GITLAB: Readonly<Record<CommitState, string>> = {
  pending: "pending",
  success: "success",
  failure: "failed",
  error: "failed",
};

export async function setCommitStatus(
  api: HostApi,
  ref: RepositoryRef,
  commit: string,
  { state, targetUrl, description, context }: CommitStatus,
): Promise<void> {
  if (!commitIdSchema.safeParse(commit).success) throw new SourceHostError("ref_invalid");
  await readProject(api, ref);
  const body = {
    state: STATE_AT_GITLAB[state],
    name: context,
    ...(targetUrl !== null && { target_url: targetUrl }),
    description: description.slice(0, DESCRIPTION_LENGTH_MAX),
  };
  const path = `/projects/${ref.repositoryId}/statuses/${commit}`;
  const response = await api.send({ method: "POST", path, token: ref.credential ?? "", body });
  // GitLab rejects the state that the commit has already.
  if (response.status === 400 && /cannot transition/i.test(messageOf(response.body))) return;
  if (response.status === 404) throw new SourceHostError("ref_unknown");
  expectBody(response, 201, z.object({ status: z.string() }));
}
