/** The authorization code flow with PKCE (RFC 6749 §4.1, RFC 7636): what providers of all kinds have in common. */
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  ResponseBodyError,
  validateAuthResponse,
  WWWAuthenticateChallengeError,
} from "oauth4webapi";
import { SecretFileError } from "../secrets/secret-file.ts";
import { readClientSecret } from "./client-secret.ts";
import { LoginError } from "./login-error.ts";
import type { LoginProofs } from "./login-provider.ts";
import { PROVIDER_DEADLINE_MS, providerFetch } from "./provider-fetch.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** Between the clocks of a provider and this machine. */
const CLOCKS_APART_SECONDS = 30;

export function clientOf({ clientId }: Pick<ProviderSettings, "clientId">): Client {
  return { client_id: clientId, [clockTolerance]: CLOCKS_APART_SECONDS };
}

export type RequestOptions = ReturnType<typeof requestOptions>;

/** How each request to the provider is sent. Settings allow plain HTTP on loopback alone. */
export function requestOptions({ url }: Pick<ProviderSettings, "url">, deadlineMs = PROVIDER_DEADLINE_MS) {
  return { [customFetch]: providerFetch(deadlineMs), [allowInsecureRequests]: url.startsWith("http:") };
}

export async function authorizationUrl(
  server: AuthorizationServer,
  { clientId }: Pick<ProviderSettings, "clientId">,
  { state, verifier }: LoginProofs,
  more: Readonly<Record<string, string>>,
): Promise<URL> {
  if (server.authorization_endpoint === undefined) throw new LoginError("provider_invalid");
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...more,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

export interface Callback {
  readonly parameters: URLSearchParams;
  readonly proofs: LoginProofs;
  readonly redirectUri: string;
}

/** The provider's response to the code of the callback. */
export async function redeemCode(
  server: AuthorizationServer,
  settings: ProviderSettings,
  { parameters, proofs, redirectUri }: Callback,
  options: RequestOptions,
): Promise<Response> {
  const client = clientOf(settings);
  const valid = validateAuthResponse(server, client, parameters, proofs.state);
  const secret = readClientSecret(settings);
  // Not every provider decodes what RFC 6749 §2.3.1 has encoded; without a list, that is the method (Discovery §3).
  const { token_endpoint_auth_methods_supported: methods = [] } = server;
  const auth = methods.includes("client_secret_post") ? ClientSecretPost(secret) : ClientSecretBasic(secret);
  return authorizationCodeGrantRequest(server, client, auth, valid, redirectUri, proofs.verifier, options);
}

/** Runs a request to a provider; whatever it throws becomes a LoginError. */
export async function explained<T>(asking: () => Promise<T>): Promise<T> {
  try {
    return await asking();
  } catch (error) {
    if (error instanceof LoginError) throw error;
    throw new LoginError(codeOf(error), error);
  }
}

function codeOf(error: unknown): LoginError["code"] {
  if (error instanceof AuthorizationResponseError) {
    return error.error === "access_denied" ? "login_declined" : "provider_refused";
  }
  const refusals = [ResponseBodyError, WWWAuthenticateChallengeError, SecretFileError];
  return refusals.some((refusal) => error instanceof refusal) ? "provider_refused" : "provider_invalid";
}
