/** The service rejected a request, and says why (RFC 9457). */
import { ElasticError } from "./elastic-error.ts";

/** What is wrong with one field of the request. */
export interface InvalidField {
  /** A JSON pointer, or the name of a parameter; empty where the service names none. */
  readonly pointer: string;
  readonly detail: string;
}

interface Response {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it was JSON, else undefined. */
  readonly body: unknown;
}

export class ProblemError extends ElasticError {
  override readonly name = "ProblemError";
  readonly status: number;
  /** For programs, such as `service_not_ready`; `http_<status>` where a proxy responded. */
  readonly code: string;
  /** For people. */
  readonly detail: string;
  /** Names the request in the service's log: report it. */
  readonly requestId: string | null;
  /** `Retry-After` as it came. */
  readonly retryAfter: string | null;
  readonly errors: readonly InvalidField[];
  /** All that the service said. */
  readonly body: unknown;

  constructor({ status, headers, body }: Response) {
    const problem = membersOf(body);
    const detail = text(problem.detail) ?? text(problem.title) ?? `The service responded with status ${status}.`;
    super(detail);
    this.status = status;
    this.code = text(problem.code) ?? `http_${status}`;
    this.detail = detail;
    this.requestId = text(problem.request_id) ?? headers.get("x-request-id");
    this.retryAfter = headers.get("retry-after");
    this.errors = Array.isArray(problem.errors) ? problem.errors.map(fieldOf) : [];
    this.body = body;
  }
}

function fieldOf(error: unknown): InvalidField {
  const { pointer, detail } = membersOf(error);
  return { pointer: text(pointer) ?? "", detail: text(detail) ?? "" };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
