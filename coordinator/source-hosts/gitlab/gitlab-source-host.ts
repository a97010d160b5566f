/** GitLab as a source host, at gitlab.com or a self-managed server, by an OAuth application that the operator registers. */
import type { Clock } from "@elastic/std/clock.ts";
import { readSecretFile } from "../../secrets/secret-file.ts";
import type { SourceHost } from "../source-host.ts";
import type { GitlabSettings } from "../source-settings.ts";
import { authorizationUrl, redeemCode } from "./authorize.ts";
import { setCommitStatus } from "./commit-status.ts";
import { createRepository } from "./create-repository.ts";
import { gitlabRestApi } from "./gitlab-api.ts";
import { openArchive } from "./open-archive.ts";
import { projectGrants } from "./project-grants.ts";
import { resolveCommit } from "./read-commit.ts";
import { readDelivery } from "./read-delivery.ts";
import { listProjects, readAccount, readProject } from "./read-projects.ts";

/** `deadlineMs` is how long GitLab has for a response. */
export function gitlabSourceHost(settings: GitlabSettings, clock: Pick<Clock, "now">, deadlineMs?: number): SourceHost {
  const { name, title, url, webhookSecretFile, setsStatuses } = settings;
  const api = gitlabRestApi(url, deadlineMs);
  const webhookSecret = () => readSecretFile(`the webhook secret of the source host ${name}`, webhookSecretFile);
  return {
    name,
    title,
    url,
    grants: projectGrants(api, { setsStatuses, webhookSecret, clock }),
    installationUrl: null,
    authorizationUrl: (proofs, redirectUri) => authorizationUrl(settings, proofs, redirectUri),
    redeemCode: (code, redirectUri, verifier) => redeemCode(api, settings, { code, redirectUri, verifier }, clock),
    readInstallation: (token, accountId) => readAccount(api, token, accountId),
    listRepositories: (_accountId, token) => listProjects(api, token),
    readRepository: (ref) => readProject(api, ref),
    resolveCommit: (ref, branch, gitRef) => resolveCommit(api, ref, branch, gitRef),
    openArchive: (ref, commit, limits) => openArchive(api, ref, commit, limits),
    setCommitStatus: async (ref, commit, status) => {
      // The operator decides: the tokens of projects may not write otherwise.
      if (setsStatuses) await setCommitStatus(api, ref, commit, status);
    },
    createRepository: (token, wanted) => createRepository(api, token, wanted),
    readDelivery: (headers, body) => readDelivery(headers, body, webhookSecret(), clock.now()),
  };
}
