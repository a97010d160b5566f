/** A user's account at a login provider. Whoever logs in with it is that user. */
import type { Instant } from "@elastic/std/clock.ts";

/** An account as its provider describes it at a login. */
export interface Identity {
  /** The provider, by its address: what operators name it may change. */
  readonly issuer: string;
  /** The provider's identifier of the account, which is never changed and never given to another one. */
  readonly subject: string;
  /** What the provider calls the account now. It is for people: an account is never found by it. */
  readonly login: string;
  /** Domains to which the provider says that the account belongs, in lower case. */
  readonly domains: readonly string[];
}

export interface Account extends Pick<Identity, "issuer" | "subject" | "login"> {
  /** Made of issuer and subject: an account is one user's. */
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Instant;
  readonly lastLoginAt: Instant;
}

export const ACCOUNTS_PER_USER = 10;
