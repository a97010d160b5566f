/**
 * Where a user installs and authorizes the app, and what the code that comes back is exchanged for.
 * https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
import type { Clock } from "@elastic/std/clock.ts";
import { calculatePKCECodeChallenge } from "oauth4webapi";
import { z } from "zod";
import { readSecretFile } from "../../secrets/secret-file.ts";
import type { LinkProofs, UserToken } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import type { SourceSettings } from "../source-settings.ts";
import { expectBody, type GithubApi, messageOf } from "./github-api.ts";

/** Where the app's tokens do not expire, GitHub states no time. */
const EXPIRES_IN_DEFAULT_SECONDS = 8 * 3600;

const tokenSchema = z.object({
  access_token: z.string().min(1).max(2_000),
  expires_in: z.int().positive().max(1_000_000).default(EXPIRES_IN_DEFAULT_SECONDS),
});

export function installationUrl({ url, appSlug }: SourceSettings, { state }: LinkProofs): URL {
  const apps = url === "https://github.com" ? "apps" : "github-apps";
  const address = new URL(`${url}/${apps}/${appSlug}/installations/new`);
  address.searchParams.set("state", state);
  return address;
}

export async function authorizationUrl(
  { url, clientId }: SourceSettings,
  { state, verifier }: LinkProofs,
  redirectUri: string,
): Promise<URL> {
  const address = new URL(`${url}/login/oauth/authorize`);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address;
}

export async function redeemCode(
  api: GithubApi,
  { name, url, clientId, clientSecretFile }: SourceSettings,
  {
    code,
    redirectUri,
    verifier,
  }: { readonly code: string; readonly redirectUri: string; readonly verifier: string | null },
  clock: Pick<Clock, "now">,
): Promise<UserToken> {
  const form = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecretOf(name, clientSecretFile),
    code,
    redirect_uri: redirectUri,
    ...(verifier !== null && { code_verifier: verifier }),
  });
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  const address = `${url}/login/oauth/access_token`;
  const response = await api.fetch(address, { method: "POST", headers, body: form.toString() });
  // GitHub refuses with 200.
  const isRefused = typeof response.body === "object" && response.body !== null && "error" in response.body;
  if (isRefused) throw new SourceHostError("authorization_failed", new Error(messageOf(response.body)));
  const { access_token: token, expires_in } = expectBody(response, 200, tokenSchema);
  return { token, expiresAt: clock.now() + 1000 * expires_in };
}

function clientSecretOf(name: string, path: string): string {
  try {
    return readSecretFile(`the client secret of the source host ${name}`, path);
  } catch (error) {
    throw new SourceHostError("app_rejected", error);
  }
}
