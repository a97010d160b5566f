/** The authorization code flow with PKCE (RFC 6749 §4.1, RFC 7636): where a user authorizes, and what the code is redeemed for. */
import type { Clock } from "@elastic/std/clock.ts";
import { calculatePKCECodeChallenge } from "oauth4webapi";
import { z } from "zod";
import { readSecretFile } from "../secrets/secret-file.ts";
import { expectBody, type HostApi, messageOf } from "./host-api.ts";
import type { LinkProofs, UserToken } from "./source-host.ts";
import { SourceHostError } from "./source-host-error.ts";
import type { CommonSettings } from "./source-settings.ts";

export interface RedeemedCode {
  readonly code: string;
  readonly redirectUri: string;
  /** Null for a code that came without a challenge. */
  readonly verifier: string | null;
}

/** `endpoint` is that of the host's authorizations. */
export async function codeAuthorizationUrl(
  endpoint: string,
  { clientId }: Pick<CommonSettings, "clientId">,
  { state, verifier }: LinkProofs,
  redirectUri: string,
): Promise<URL> {
  const address = new URL(endpoint);
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

/** `expiresInSeconds` is for a host that states no time. Refresh tokens are not read: nobody keeps one. */
export async function redeemCodeAt(
  api: HostApi,
  endpoint: string,
  { name, clientId, clientSecretFile }: Pick<CommonSettings, "name" | "clientId" | "clientSecretFile">,
  { code, redirectUri, verifier }: RedeemedCode,
  { clock, expiresInSeconds }: { readonly clock: Pick<Clock, "now">; readonly expiresInSeconds: number },
): Promise<UserToken> {
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: clientId,
    client_secret: clientSecretOf(name, clientSecretFile),
    code,
    redirect_uri: redirectUri,
    ...(verifier !== null && { code_verifier: verifier }),
  });
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  const response = await api.fetch(endpoint, { method: "POST", headers, body: form.toString() });
  // GitHub refuses with 200, others with 400 or 401.
  const isRefused = typeof response.body === "object" && response.body !== null && "error" in response.body;
  if (isRefused) throw new SourceHostError("authorization_failed", new Error(messageOf(response.body)));
  const { access_token: token, expires_in = expiresInSeconds } = expectBody(response, 200, tokenSchema);
  return { token, expiresAt: clock.now() + 1000 * expires_in };
}

const tokenSchema = z.object({
  access_token: z.string().min(1).max(2_000),
  expires_in: z.int().positive().max(1_000_000).optional(),
});

function clientSecretOf(name: string, path: string): string {
  try {
    return readSecretFile(`the client secret of the source host ${name}`, path);
  } catch (error) {
    throw new SourceHostError("app_rejected", error);
  }
}
