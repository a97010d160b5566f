/**
 * A new private repository, generated from the operator's template or with files that are pushed. By the user's own token: an
 * installation's can create none in a user's account, and this way nobody has the app create what they may not create themselves.
 */
import { pause } from "@elastic/std/pause.ts";
import { z } from "zod";
import { type ApiResponse, expectBody, type HostApi, messageOf, type SendAsUser } from "../host-api.ts";
import { idSchema } from "../host-records.ts";
import type { NewRepository, SourceRepository, UserToken } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import { type GithubRepository, repositorySchema } from "./github-records.ts";
import type { InstallationTokens } from "./installation-tokens.ts";
import { pushFiles } from "./push-files.ts";
import { readRepository } from "./read-repositories.ts";

/** GitHub generates a repository after it has responded. */
const GENERATED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 500;
const DESCRIPTION = "A prover for the Elastic Proving Service";

export async function createRepository(
  api: HostApi,
  tokens: InstallationTokens,
  template: string | null,
  { token }: UserToken,
  wanted: NewRepository,
): Promise<SourceRepository> {
  if (!/^[\w.-]{1,100}$/.test(wanted.name) || /^\.+$/.test(wanted.name)) throw new SourceHostError("name_invalid");
  const send: SendAsUser = async (request) => {
    const response = await api.send({ ...request, token });
    if (response.status === 401) throw new SourceHostError("authorization_needed");
    return response;
  };
  if (template === null && wanted.files.length === 0) throw new SourceHostError("template_missing");
  const made = template === null ? await createEmpty(send, wanted) : await generate(send, template, wanted);
  const filled = template === null ? pushFiles(send, made, wanted.files) : generated(send, made);
  await filled.catch(unfinished);
  const ref = { installationId: wanted.installationId, repositoryId: made.id };
  return readRepository(tokens, ref).catch((error: unknown) => {
    const isNotAdded = error instanceof SourceHostError && error.code === "repository_gone";
    throw isNotAdded ? new SourceHostError("repository_not_added", error) : error;
  });
}

async function generate(
  send: SendAsUser,
  template: string,
  { account, name }: NewRepository,
): Promise<GithubRepository> {
  const body = { owner: account.login, name, description: DESCRIPTION, private: true, include_all_branches: false };
  return created(await send({ method: "POST", path: `/repos/${template}/generate`, body }));
}

async function createEmpty(send: SendAsUser, { account, name }: NewRepository): Promise<GithubRepository> {
  const path = account.kind === "user" ? "/user/repos" : `/orgs/${account.login}/repos`;
  if (account.kind === "user") await requireOwnAccount(send, account.id);
  // Into a repository without any commit, the git database's API can write nothing.
  const body = { name, description: DESCRIPTION, private: true, auto_init: true };
  return created(await send({ method: "POST", path, body }));
}

/** The account of the token may be another member's than the one that the app is installed in. */
async function requireOwnAccount(send: SendAsUser, accountId: string): Promise<void> {
  const { id } = expectBody(await send({ method: "GET", path: "/user" }), 200, z.object({ id: idSchema }));
  if (id !== accountId) throw new SourceHostError("no_permission");
}

function created(response: ApiResponse): GithubRepository {
  const { status, body } = response;
  const cause = new Error(`${status} ${messageOf(body)}`);
  if (status === 422) {
    throw new SourceHostError(/already exists/i.test(messageOf(body)) ? "name_taken" : "name_invalid", cause);
  }
  if (status === 403 || status === 404) throw new SourceHostError("no_permission", cause);
  return expectBody(response, 201, repositorySchema);
}

/** The user has to know that it is there: its name is taken from now on. */
function unfinished(error: unknown): never {
  const isOfHost = error instanceof SourceHostError && (error.code === "host_down" || error.code === "host_invalid");
  throw isOfHost ? new SourceHostError("repository_unfinished", error) : error;
}

async function generated(send: SendAsUser, { full_name, default_branch }: GithubRepository): Promise<void> {
  const signal = AbortSignal.timeout(GENERATED_WITHIN_MS);
  const path = `/repos/${full_name}/commits/heads/${encodeURIComponent(default_branch)}`;
  while (!signal.aborted) {
    const { status } = await send({ method: "GET", path });
    if (status === 200) return;
    if (![404, 409, 422].includes(status)) throw new SourceHostError("host_invalid", new Error(`${path}: ${status}`));
    await pause(LOOK_EVERY_MS, signal);
  }
  throw new SourceHostError("host_down", new Error(`${full_name} was not generated in time`));
}
