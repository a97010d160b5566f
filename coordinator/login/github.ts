/**
 * Logins at GitHub and GitHub Enterprise: OAuth without OpenID Connect, so that whose login it is says the API.
 * https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
import {
  type AuthorizationServer,
  processAuthorizationCodeResponse,
  protectedResourceRequest,
  type TokenEndpointResponse,
} from "oauth4webapi";
import { z } from "zod";
import {
  authorizationUrl,
  type Callback,
  clientOf,
  explained,
  type RequestOptions,
  redeemCode,
  requestOptions,
} from "./code-flow.ts";
import { LoginError } from "./login-error.ts";
import type { LoginProvider } from "./login-provider.ts";
import type { ProviderSettings } from "./provider-settings.ts";

const API_VERSION = "2022-11-28";
const ORGANISATIONS_PER_PAGE = 100;
const PAGES_MAX = 10;

const userSchema = z.object({ id: z.int().positive(), login: z.string().min(1).max(200) });
const organisationsSchema = z.array(z.object({ login: z.string() })).max(ORGANISATIONS_PER_PAGE);

export function githubProvider(settings: ProviderSettings, deadlineMs?: number): LoginProvider {
  const { name, title, signUp, url } = settings;
  const options = requestOptions(settings, deadlineMs);
  const server: AuthorizationServer = {
    issuer: url,
    authorization_endpoint: `${url}/login/oauth/authorize`,
    token_endpoint: `${url}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  };
  const api = githubApi(url);
  // Who is logged in may be read without any scope.
  const scope = signUp.some(({ kind }) => kind === "group") ? "read:org" : "";
  return {
    name,
    title,
    signUp,
    authorizationUrl: (proofs, redirectUri) =>
      authorizationUrl(server, settings, proofs, { redirect_uri: redirectUri, scope }),
    identify: (parameters, proofs, redirectUri) =>
      explained(async () => {
        const token = await redeem(server, settings, { parameters, proofs, redirectUri }, options);
        const user = userSchema.parse(await read(`${api}/user`, token, options));
        return {
          identity: { issuer: url, subject: String(user.id), login: user.login, domains: [] },
          readGroups: () => explained(() => readOrganisations(api, token, options)),
        };
      }),
  };
}

/** Where the API of a GitHub at `url` is. */
export function githubApi(url: string): string {
  return url === "https://github.com" ? "https://api.github.com" : `${url}/api/v3`;
}

async function redeem(
  server: AuthorizationServer,
  settings: ProviderSettings,
  callback: Callback,
  options: RequestOptions,
): Promise<string> {
  const response = await redeemCode(server, settings, callback, options);
  // GitHub refuses with 200.
  const refused: unknown = await response.clone().json();
  if (typeof refused === "object" && refused !== null && "error" in refused) {
    throw new LoginError("provider_refused", refused);
  }
  const answer: TokenEndpointResponse = await processAuthorizationCodeResponse(server, clientOf(settings), response);
  return answer.access_token;
}

async function readOrganisations(api: string, token: string, options: RequestOptions): Promise<readonly string[]> {
  const names: string[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const address = `${api}/user/orgs?per_page=${ORGANISATIONS_PER_PAGE}&page=${page}`;
    const organisations = organisationsSchema.parse(await read(address, token, options));
    names.push(...organisations.map(({ login }) => login.toLowerCase()));
    if (organisations.length < ORGANISATIONS_PER_PAGE) break;
  }
  return names;
}

async function read(address: string, token: string, options: RequestOptions): Promise<unknown> {
  const headers = new Headers({
    accept: "application/vnd.github+json",
    "user-agent": "elastic-proving-service",
    "x-github-api-version": API_VERSION,
  });
  const response = await protectedResourceRequest(token, "GET", new URL(address), headers, null, options);
  const { status } = response;
  if (status !== 200) {
    const isRefusal = status === 401 || status === 403;
    throw new LoginError(isRefusal ? "provider_refused" : "provider_invalid", new Error(`${address}: ${status}`));
  }
  return response.json();
}
