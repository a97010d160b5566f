/**
 * What opens a project to this service: a project access token, which the project's maintainers see and revoke in its settings.
 * https://docs.gitlab.com/user/project/settings/project_access_tokens/
 */
import type { Clock } from "@elastic/std/clock.ts";
import { CREDENTIAL_DAYS } from "../../domain/source-credential.ts";
import { type ApiResponse, expectBody, failureOf, type HostApi, messageOf } from "../host-api.ts";
import type { RepositoryCredential, RepositoryGrants } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import { tokenSchema } from "./gitlab-records.ts";
import { setWebhook } from "./project-webhook.ts";
import { authorized, readProject } from "./read-projects.ts";

const DAY_MS = 24 * 3_600_000;
const TOKEN_NAME = "Elastic Proving Service";
const REPORTER = 20;
const DEVELOPER = 30;

export interface GrantOptions {
  readonly setsStatuses: boolean;
  /** Read at each use. */
  readonly webhookSecret: () => string;
  readonly clock: Pick<Clock, "now">;
}

export function projectGrants(api: HostApi, { setsStatuses, webhookSecret, clock }: GrantOptions): RepositoryGrants {
  // Setting a status takes `api`, with which the same token renews itself too.
  const least = setsStatuses
    ? { scopes: ["api"], access_level: DEVELOPER }
    : { scopes: ["read_api", "self_rotate"], access_level: REPORTER };
  const expiry = () => new Date(clock.now() + CREDENTIAL_DAYS * DAY_MS).toISOString().slice(0, 10);
  const revoke = async (secret: string): Promise<void> => {
    const response = await api.send({ method: "DELETE", path: "/personal_access_tokens/self", token: secret });
    if (response.status !== 204 && response.status !== 401) throw failureOf(response);
  };
  return {
    create: async ({ token }, repositoryId, webhookUrl) => {
      await readProject(api, { repositoryId, credential: token }).catch(ofUser);
      const body = { name: TOKEN_NAME, ...least, expires_at: expiry() };
      const path = `/projects/${repositoryId}/access_tokens`;
      const response = authorized(await api.send({ method: "POST", path, token, body }));
      if ([400, 403, 404].includes(response.status)) {
        throw new SourceHostError("maintainer_needed", new Error(messageOf(response.body)));
      }
      const credential = credentialOf(response, [201]);
      try {
        await setWebhook(api, token, repositoryId, { url: webhookUrl, secret: webhookSecret() });
      } catch (error) {
        await revoke(credential.secret).catch(() => undefined);
        throw error;
      }
      return credential;
    },
    renew: async (repositoryId, secret) => {
      const path = `/projects/${repositoryId}/access_tokens/self/rotate`;
      const response = await api.send({ method: "POST", path, token: secret, body: { expires_at: expiry() } });
      return credentialOf(response, [200, 201]);
    },
    revoke,
  };
}

function credentialOf(response: ApiResponse, statuses: readonly number[]): RepositoryCredential {
  const status = statuses.includes(response.status) ? response.status : (statuses[0] ?? 0);
  const { token, expires_at } = expectBody(response, status, tokenSchema);
  return { secret: token, expiresAt: Date.parse(expires_at) };
}

/** What was revoked, where the request is with the user's token, is the user's authorization. */
function ofUser(error: unknown): never {
  const isUsers = error instanceof SourceHostError && error.code === "revoked";
  throw isUsers ? new SourceHostError("authorization_needed", error) : error;
}
