/** What the service requires of a login provider, whatever protocol it speaks. */
import type { Identity } from "../domain/account.ts";
import type { SignUpRule } from "../domain/sign-up-rule.ts";
import type { LoginTransaction } from "./login-transaction.ts";

export type LoginProofs = Pick<LoginTransaction, "state" | "verifier" | "nonce">;

export interface ProvenIdentity {
  readonly identity: Identity;
  /** Those that rules may name; requested of the provider only where it matters. */
  readGroups(): Promise<readonly string[]>;
}

/** All but its settings may throw a LoginError. */
export interface LoginProvider {
  /** In settings and addresses. */
  readonly name: string;
  /** On its button. */
  readonly title: string;
  readonly signUp: readonly SignUpRule[];
  /** Where the browser goes to log in. */
  authorizationUrl(proofs: LoginProofs, redirectUri: string): Promise<URL>;
  /** Whose login came back to the callback with these parameters. */
  identify(callback: URLSearchParams, proofs: LoginProofs, redirectUri: string): Promise<ProvenIdentity>;
}
