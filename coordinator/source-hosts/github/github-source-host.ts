/** GitHub and GitHub Enterprise as a source host, by a GitHub App that the operator registers. */
import type { Clock } from "@elastic/std/clock.ts";
import { readSecretFile } from "../../secrets/secret-file.ts";
import type { SourceHost } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import type { GithubSettings } from "../source-settings.ts";
import { authorizationUrl, installationUrl, redeemCode } from "./authorize.ts";
import { createRepository } from "./create-repository.ts";
import { githubRestApi } from "./github-api.ts";

import { InstallationTokens } from "./installation-tokens.ts";
import { archiveOrigins, openArchive } from "./open-archive.ts";
import { resolveCommit, setCommitStatus } from "./read-commit.ts";
import { readDelivery } from "./read-delivery.ts";
import { listRepositories, readInstallation, readRepository } from "./read-repositories.ts";

/** `deadlineMs` is how long GitHub has for a response. */
export function githubSourceHost(settings: GithubSettings, clock: Pick<Clock, "now">, deadlineMs?: number): SourceHost {
  const { name, title, url, template, webhookSecretFile } = settings;
  const api = githubRestApi(url, deadlineMs);
  const tokens = new InstallationTokens(api, settings, clock);
  const origins = archiveOrigins(url);
  return {
    name,
    title,
    url,
    grants: null,
    installationUrl: async (proofs) => installationUrl(settings, proofs),
    authorizationUrl: (proofs, redirectUri) => authorizationUrl(settings, proofs, redirectUri),
    redeemCode: (code, redirectUri, verifier) => redeemCode(api, settings, { code, redirectUri, verifier }, clock),
    readInstallation: async (token, installationId) => {
      if (installationId === null) throw new SourceHostError("host_invalid");
      return readInstallation(api, tokens, token, installationId);
    },
    listRepositories: (installationId) => listRepositories(tokens, installationId),
    readRepository: (ref) => readRepository(tokens, ref),
    resolveCommit: (ref, branch, gitRef) => resolveCommit(tokens, ref, branch, gitRef),
    openArchive: (ref, commit, limits) => openArchive(api, tokens, origins, { ref, commit, limits }),
    setCommitStatus: (ref, commit, status) => setCommitStatus(tokens, ref, commit, status),
    createRepository: (token, wanted) => createRepository(api, tokens, template, token, wanted),
    readDelivery: (headers, body) =>
      readDelivery(headers, body, readSecretFile(`the webhook secret of the source host ${name}`, webhookSecretFile)),
  };
}
