/**
 * Where a user installs and authorizes the app, and what the code that comes back is exchanged for.
 * https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
import type { Clock } from "@elastic/std/clock.ts";
import { codeAuthorizationUrl, type RedeemedCode, redeemCodeAt } from "../code-exchange.ts";
import type { HostApi } from "../host-api.ts";
import type { LinkProofs, UserToken } from "../source-host.ts";
import type { GithubSettings } from "../source-settings.ts";

/** Where the app's tokens do not expire, GitHub states no time. */
const EXPIRES_IN_DEFAULT_SECONDS = 8 * 3600;

export function installationUrl(
  { url, appSlug }: Pick<GithubSettings, "url" | "appSlug">,
  { state }: Pick<LinkProofs, "state">,
): URL {
  const apps = url === "https://github.com" ? "apps" : "github-apps";
  const address = new URL(`${url}/${apps}/${appSlug}/installations/new`);
  address.searchParams.set("state", state);
  return address;
}

export function authorizationUrl(settings: GithubSettings, proofs: LinkProofs, redirectUri: string): Promise<URL> {
  return codeAuthorizationUrl(`${settings.url}/login/oauth/authorize`, settings, proofs, redirectUri);
}

export function redeemCode(
  api: HostApi,
  settings: GithubSettings,
  redeemed: RedeemedCode,
  clock: Pick<Clock, "now">,
): Promise<UserToken> {
  const endpoint = `${settings.url}/login/oauth/access_token`;
  return redeemCodeAt(api, endpoint, settings, redeemed, { clock, expiresInSeconds: EXPIRES_IN_DEFAULT_SECONDS });
}
