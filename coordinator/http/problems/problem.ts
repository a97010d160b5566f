/** Every refusal of the API: RFC 9457 problem details, with a closed list of codes and the status of each. */

const STATUS_OF_CODE = {
  not_json: 400,
  not_utf8: 400,
  not_an_object: 400,
  too_deep: 400,
  duplicate_key: 400,
  key_too_long: 400,
  too_many_keys: 400,
  duplicate_header: 400,
  idempotency_key_invalid: 400,
  bad_request: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  access_denied: 400,
  key_missing: 401,
  key_invalid: 401,
  link_invalid: 401,
  login_link_invalid: 401,
  session_invalid: 401,
  signature_invalid: 401,
  scope_missing: 403,
  login_too_old: 403,
  role_missing: 403,
  beyond_key: 403,
  ticket_invalid: 403,
  origin_refused: 403,
  login_needs_tls: 403,
  no_team: 403,
  not_found: 404,
  route_not_found: 404,
  no_registry: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  last_owner: 409,
  already_member: 409,
  last_account: 409,
  service_not_ready: 409,
  service_deleted: 409,
  service_name_taken: 409,
  no_earlier_deployment: 409,
  environment_lost: 409,
  no_enrolment: 409,
  source_connection_ended: 409,
  source_authorization_needed: 409,
  source_not_permitted: 409,
  repository_name_taken: 409,
  repository_incomplete: 409,
  no_template: 409,
  volume_deleted: 409,
  volume_in_use: 409,
  files_missing: 409,
  source_gone: 409,
  webhook_disabled: 409,
  shell_deleted: 409,
  node_gone: 409,
  pool_in_use: 409,
  no_shells: 409,
  no_terminal: 409,
  shell_not_ready: 409,
  idempotency_key_in_flight: 409,
  task_pending: 409,
  task_without_result: 409,
  link_expired: 410,
  result_expired: 410,
  body_too_large: 413,
  input_too_large: 413,
  content_type: 415,
  content_encoding: 415,
  expectation_failed: 417,
  upgrade_required: 426,
  invalid_request: 422,
  input_missing: 422,
  input_unreachable: 422,
  upload_not_found: 422,
  idempotency_key_reused: 422,
  digest_mismatch: 422,
  image_invalid: 422,
  image_not_found: 422,
  registry_not_allowed: 422,
  url_refused: 422,
  source_invalid: 422,
  quota_exceeded: 429,
  rate_limited: 429,
  too_many_waits: 429,
  store_nearly_full: 429,
  headers_too_large: 431,
  internal: 500,
  result_corrupt: 502,
  source_corrupt: 502,
  store_unavailable: 503,
  store_changed: 503,
  archive_unavailable: 503,
  blobs_unavailable: 503,
  registry_unavailable: 503,
  overloaded: 503,
  provider_unavailable: 503,
  source_host_unavailable: 503,
  unready: 503,
  storage_full: 507,
} as const;

export type ProblemCode = keyof typeof STATUS_OF_CODE;

export interface ProblemError {
  /** JSON pointer into the body, or the name of a query parameter or header. */
  readonly pointer: string;
  readonly detail: string;
}

export interface ProblemExtras {
  readonly errors?: readonly ProblemError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Thrown by whatever refuses; error-handler.ts makes the response of it. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly ProblemError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.code = code;
    this.status = STATUS_OF_CODE[code];
    this.errors = extras.errors;
    this.headers = { ...defaultHeaders(code, this.status), ...extras.headers };
  }
}

/** Of many mistakes the sentence names the first ones; `errors` has them all. */
const ERRORS_IN_SENTENCE_MAX = 3;

export function invalidRequest(errors: readonly ProblemError[]): Problem {
  const named = errors
    .slice(0, ERRORS_IN_SENTENCE_MAX)
    .map(({ pointer, detail }) =>
      (["", "#", "#/"].includes(pointer) ? detail : `${pointer}: ${detail}`).replace(/\.$/, ""),
    );
  const others = errors.length - named.length;
  const more = others === 0 ? "" : `; and ${others} more`;
  return new Problem("invalid_request", `The request is not valid: ${named.join("; ")}${more}.`, { errors });
}

/** The same words for what is unknown, malformed, or another team's. */
export function notFound(
  noun:
    | "access key"
    | "account"
    | "login"
    | "login provider"
    | "authorised key"
    | "invitation"
    | "member"
    | "batch"
    | "task"
    | "service"
    | "deployment"
    | "team"
    | "webhook"
    | "shell"
    | "delivery"
    | "volume"
    | "build"
    | "join token"
    | "source host"
    | "source connection"
    | "source"
    | "node"
    | "pool"
    | "session"
    | "user",
): Problem {
  return new Problem("not_found", `There is no such ${noun}.`);
}

/** Of 503: they last until something else than time changes them. */
const NO_TIME_TO_RETRY: ReadonlySet<ProblemCode> = new Set(["unready", "store_changed"]);

function defaultHeaders(code: ProblemCode, status: number): Readonly<Record<string, string>> {
  if (code === "key_missing" || code === "key_invalid")
    return { "www-authenticate": 'ApiKey header="x-api-key", Bearer' };
  if (status === 429 || (status === 503 && !NO_TIME_TO_RETRY.has(code))) return { "retry-after": "1" };
  return {};
}
