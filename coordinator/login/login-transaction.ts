/**
 * A login on its way to a provider and back. All of it is in a cookie of the browser that started it, sealed, so that
 * nothing is stored for whoever only starts one.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { generateRandomCodeVerifier, generateRandomNonce, generateRandomState } from "oauth4webapi";
import { z } from "zod";
import { LOGIN_MS } from "../domain/used-login.ts";
import type { Secrets } from "../secrets/secrets.ts";

const SEALED_AS = "login-transaction";

const schema = z.strictObject({
  id: z.string(),
  provider: z.string(),
  /** Comes back in the callback's address, and says that the same browser started it. */
  state: z.string(),
  /** Of PKCE: without it, nobody can redeem the code (RFC 7636). */
  verifier: z.string(),
  /** Is in the provider's statement about the user, which so cannot be that of another login. */
  nonce: z.string(),
  startedAt: z.number(),
  returnTo: z.string(),
  invitation: z.string().nullable(),
  /** The user to whom the account is to be linked; null for a login. */
  linkForUser: z.string().nullable(),
});

export type LoginTransaction = Readonly<z.output<typeof schema>>;

export type LoginPurpose = Pick<LoginTransaction, "returnTo" | "invitation" | "linkForUser">;

export function beginLogin(provider: string, purpose: LoginPurpose, now: Instant): LoginTransaction {
  return {
    id: newId(now),
    provider,
    state: generateRandomState(),
    verifier: generateRandomCodeVerifier(),
    nonce: generateRandomNonce(),
    startedAt: now,
    ...purpose,
  };
}

export function sealLogin(secrets: Pick<Secrets, "seal">, login: LoginTransaction): string {
  return secrets.seal(Buffer.from(JSON.stringify(login)), SEALED_AS);
}

/** Null for what this service did not seal, or sealed in another form. */
export function openLogin(secrets: Pick<Secrets, "open">, sealed: string): LoginTransaction | null {
  try {
    return schema.parse(JSON.parse(secrets.open(sealed, SEALED_AS).toString()));
  } catch {
    return null;
  }
}

export function isExpired({ startedAt }: LoginTransaction, now: Instant): boolean {
  return startedAt + LOGIN_MS <= now;
}
