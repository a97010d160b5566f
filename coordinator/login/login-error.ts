/** Why a login at a provider came to nothing. The login page has a sentence for each code. */

export const LOGIN_ERROR_CODES = [
  // The browser did not start it, or another login in it came after.
  "login_not_started",
  "login_expired",
  // It has made a session already.
  "login_used",
  // Another site's page started it.
  "login_foreign",
  // The user declined at the provider.
  "login_declined",
  "login_needs_tls",
  "provider_unknown",
  "provider_unreachable",
  // It refused, or its response to this service says so: a used code, a wrong client secret.
  "provider_refused",
  // Its response is not what the protocol says.
  "provider_invalid",
  "not_invited",
  "invitation_invalid",
  "sign_ups_full",
  "no_team",
  "account_taken",
  "accounts_full",
  // An account was to be linked, and the user has logged out meanwhile.
  "session_ended",
  "quota_exceeded",
  "rate_limited",
  "unavailable",
] as const;

export type LoginErrorCode = (typeof LOGIN_ERROR_CODES)[number];

export class LoginError extends Error {
  override readonly name = "LoginError";
  readonly code: LoginErrorCode;

  constructor(code: LoginErrorCode, cause?: unknown) {
    super(code, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
