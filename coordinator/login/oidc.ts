/** Logins at GitLab and at any OpenID Connect provider: the ID token says whose login it is. */
import {
  type AuthorizationServer,
  discoveryRequest,
  getValidatedIdTokenClaims,
  type IDToken,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateApplicationLevelSignature,
} from "oauth4webapi";
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
import { type Claims, groupsOf, identityOf } from "./oidc-claims.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** After that, a provider's changed endpoints and keys are seen. */
const METADATA_CACHED_MS = 3_600_000;

export function oidcProvider(
  settings: ProviderSettings,
  clock: { monotonicMs(): number },
  deadlineMs?: number,
): LoginProvider {
  const { name, title, signUp } = settings;
  const options = requestOptions(settings, deadlineMs);
  const discover = discovery(settings, clock, options);
  return {
    name,
    title,
    signUp,
    authorizationUrl: (proofs, redirectUri) =>
      explained(async () => {
        const server = await discover();
        const more = { redirect_uri: redirectUri, nonce: proofs.nonce, scope: scopeOf(settings, server) };
        return authorizationUrl(server, settings, proofs, more);
      }),
    identify: (parameters, proofs, redirectUri) =>
      explained(async () => {
        const claims = await readClaims(await discover(), settings, { parameters, proofs, redirectUri }, options);
        return { identity: identityOf(claims), readGroups: async () => groupsOf(claims) };
      }),
  };
}

/** What the provider says of itself, read again now and then. What could not be read is not cached. */
function discovery(
  { url }: ProviderSettings,
  clock: { monotonicMs(): number },
  options: RequestOptions,
): () => Promise<AuthorizationServer> {
  let known: { readonly server: AuthorizationServer; readonly readAtMs: number } | null = null;
  return async () => {
    if (known !== null && clock.monotonicMs() - known.readAtMs < METADATA_CACHED_MS) return known.server;
    const issuer = new URL(url);
    const server = await processDiscoveryResponse(issuer, await discoveryRequest(issuer, options));
    known = { server, readAtMs: clock.monotonicMs() };
    return server;
  };
}

/** Groups are a scope of some providers, and come without one from others. */
function scopeOf({ signUp }: ProviderSettings, { scopes_supported: known = [] }: AuthorizationServer): string {
  const asksGroups = signUp.some(({ kind }) => kind === "group") && known.includes("groups");
  return `openid profile email${asksGroups ? " groups" : ""}`;
}

/** Of the ID token, whose signature is checked, and of the same user's info. */
async function readClaims(
  server: AuthorizationServer,
  settings: ProviderSettings,
  callback: Callback,
  options: RequestOptions,
): Promise<Claims> {
  const client = clientOf(settings);
  const response = await redeemCode(server, settings, callback, options);
  const { nonce: expectedNonce } = callback.proofs;
  const expected = { expectedNonce, requireIdToken: true };
  const tokens = await processAuthorizationCodeResponse(server, client, response, expected);
  await validateApplicationLevelSignature(server, response, options);
  const token: IDToken | undefined = getValidatedIdTokenClaims(tokens);
  if (token === undefined) throw new LoginError("provider_invalid");
  if (server.userinfo_endpoint === undefined) return token;
  const answer = await userInfoRequest(server, client, tokens.access_token, options);
  const info = await processUserInfoResponse(server, client, token.sub, answer);
  // What is signed goes before what is not.
  return { ...info, ...token };
}
