/** A new private project in the user's own namespace, with files in one commit, by the user's own token. */
import { type ApiResponse, expectBody, type HostApi, messageOf } from "../host-api.ts";
import type { NewFile, NewRepository, SourceRepository, UserToken } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import { commitSchema, projectSchema, repositoryOf } from "./gitlab-records.ts";
import { authorized } from "./read-projects.ts";

const DESCRIPTION = "A prover for the Elastic Proving Service";
const MESSAGE = "Add the prover template";

export async function createRepository(
  api: HostApi,
  { token }: UserToken,
  { name, files }: Pick<NewRepository, "name" | "files">,
): Promise<SourceRepository> {
  if (!/^\w[\w.-]{0,99}$/.test(name) || /\.(git|atom)$/.test(name)) throw new SourceHostError("name_invalid");
  if (files.length === 0) throw new SourceHostError("template_missing");
  const body = { name, path: name, description: DESCRIPTION, visibility: "private" };
  const response = authorized(await api.send({ method: "POST", path: "/projects", token, body }));
  const made = repositoryOf(expectBody(created(response), 201, projectSchema));
  const commit = { branch: made.defaultBranch, commit_message: MESSAGE, actions: files.flatMap(actionsOf) };
  const path = `/projects/${made.id}/repository/commits`;
  try {
    expectBody(authorized(await api.send({ method: "POST", path, token, body: commit })), 201, commitSchema);
  } catch (error) {
    throw new SourceHostError("repository_unfinished", error);
  }
  return made;
}

function created(response: ApiResponse): ApiResponse {
  const message = messageOf(response.body);
  const cause = new Error(`${response.status} ${message}`);
  if (response.status === 403 || response.status === 404) throw new SourceHostError("no_permission", cause);
  if (response.status !== 400) return response;
  // The account has as many projects as it may.
  if (/limit/i.test(message)) throw new SourceHostError("no_permission", cause);
  throw new SourceHostError(/already been taken/i.test(message) ? "name_taken" : "name_invalid", cause);
}

/** A file's mode is a separate action. */
function actionsOf({ path, content, isExecutable }: NewFile): readonly object[] {
  const written = { action: "create", file_path: path, content: content.toString("base64"), encoding: "base64" };
  return isExecutable ? [written, { action: "chmod", file_path: path, execute_filemode: true }] : [written];
}
