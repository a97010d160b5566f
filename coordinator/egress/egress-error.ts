/** Why a request did not go out, or brought nothing usable: a closed list, in words that a user may read. */

/** The complete rule, whichever part of it was broken: else its parts would be learnt one rejection after the other. */
const ONLY_PUBLIC =
  "unless the operator allows it (ELASTIC_EGRESS_ALLOW), a URL must be https, on port 443 or 8443, of a public address.";

const SENTENCES = {
  url_invalid: "The URL is not a valid absolute URL.",
  url_too_long: "The URL is too long.",
  scheme_refused: `The URL is not https: ${ONLY_PUBLIC}`,
  userinfo_refused: "The URL must not hold a user name or password.",
  port_refused: `The URL has another port: ${ONLY_PUBLIC}`,
  address_refused: `The URL leads to an address that is not public: ${ONLY_PUBLIC}`,
  name_unknown: "The host name could not be resolved.",
  connect_failed: "The host did not accept the connection.",
  tls_failed: "The host's certificate was not accepted.",
  redirected: "The host responded with a redirect, which is not followed.",
  encoded: "The response was compressed, which was not requested.",
  too_large: "The response was too large.",
  broken: "The connection broke, or the response was not HTTP.",
  timeout: "There was no complete response in time.",
} as const;

export type EgressErrorCode = keyof typeof SENTENCES;

export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly code: EgressErrorCode;
  /** The status of a redirect. */
  readonly status: number | null;

  constructor(code: EgressErrorCode, more: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(SENTENCES[code], more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.status = more.status ?? null;
  }
}
