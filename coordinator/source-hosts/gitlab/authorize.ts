/**
 * Where a user authorizes the service's OAuth application, and what the code that comes back is exchanged for.
 * https://docs.gitlab.com/api/oauth2/
 */
import type { Clock } from "@elastic/std/clock.ts";
import { codeAuthorizationUrl, type RedeemedCode, redeemCodeAt } from "../code-exchange.ts";
import type { HostApi } from "../host-api.ts";
import type { LinkProofs, UserToken } from "../source-host.ts";
import type { GitlabSettings } from "../source-settings.ts";

/** The least with which access tokens and webhooks of projects are created. */
const SCOPE = "api";
const EXPIRES_IN_DEFAULT_SECONDS = 2 * 3600;

export async function authorizationUrl(
  settings: GitlabSettings,
  proofs: LinkProofs,
  redirectUri: string,
): Promise<URL> {
  const address = await codeAuthorizationUrl(`${settings.url}/oauth/authorize`, settings, proofs, redirectUri);
  address.searchParams.set("scope", SCOPE);
  return address;
}

export function redeemCode(
  api: HostApi,
  settings: GitlabSettings,
  redeemed: RedeemedCode,
  clock: Pick<Clock, "now">,
): Promise<UserToken> {
  const of = { clock, expiresInSeconds: EXPIRES_IN_DEFAULT_SECONDS };
  return redeemCodeAt(api, `${settings.url}/oauth/token`, settings, redeemed, of);
}
