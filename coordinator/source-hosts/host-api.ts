/** Requests to the REST API of a source host: bounded in time and in size, and never led elsewhere. */
import { boundedFetch, FetchError } from "@elastic/std/net/bounded-fetch.ts";
import type { z } from "zod";
import { SourceHostError } from "./source-host-error.ts";

/** A page of a hundred repositories takes some 700 KB. */
const BYTES_MAX = 4 * 1024 * 1024;
const HOST_DEADLINE_MS = 10_000;
export const USER_AGENT = "elastic-proving-service";

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined for what is no JSON. */
  readonly body: unknown;
}

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Of the API, from its base on. */
  readonly path: string;
  readonly token: string;
  readonly body?: object;
}

/** Sends a request with the token of a user. */
export type SendAsUser = (request: Omit<ApiRequest, "token">) => Promise<ApiResponse>;

export interface ApiOptions {
  readonly base: string;
  readonly headersOf: (token: string) => Readonly<Record<string, string>>;
  /** Whether a response says that there were too many requests; one with 429 always does. */
  readonly isLimited?: (status: number, headers: Headers) => boolean;
  readonly deadlineMs?: number | undefined;
}

export class HostApi {
  readonly base: string;
  readonly headersOf: ApiOptions["headersOf"];
  readonly #isLimited: NonNullable<ApiOptions["isLimited"]>;
  readonly #deadlineMs: number;

  constructor({ base, headersOf, isLimited = () => false, deadlineMs = HOST_DEADLINE_MS }: ApiOptions) {
    this.base = base;
    this.headersOf = headersOf;
    this.#isLimited = isLimited;
    this.#deadlineMs = deadlineMs;
  }

  /** Throws `host_down` where the host does not respond or limits requests, and `host_invalid` where it sends too much. */
  async send({ method, path, token, body }: ApiRequest): Promise<ApiResponse> {
    const headers = { ...this.headersOf(token), ...(body !== undefined && { "content-type": "application/json" }) };
    return this.fetch(this.base + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  }

  async fetch(
    url: string,
    request: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
    },
  ): Promise<ApiResponse> {
    const bounds = { deadlineMs: this.#deadlineMs, bytesMax: BYTES_MAX };
    const response = await boundedFetch(url, { ...request, ...bounds }).catch(explain);
    const { status, headers } = response;
    if (this.#isLimited(status, headers)) {
      throw new SourceHostError("host_down", new Error(`${url}: requests are limited`));
    }
    return { status, headers, body: parseJson(await response.text()) };
  }
}

/** The body of a response with that status, as the schema has it. Throws what any other response is. */
export function expectBody<T extends z.ZodType>(response: ApiResponse, status: number, schema: T): z.output<T> {
  if (response.status !== status) throw failureOf(response);
  const parsed = schema.safeParse(response.body);
  if (!parsed.success) throw new SourceHostError("host_invalid", parsed.error);
  return parsed.data;
}

/** What a response is that is no success, to a request for what belongs to a repository. */
export function failureOf({ status, body }: ApiResponse): SourceHostError {
  const cause = new Error(`${status} ${messageOf(body)}`);
  if (status === 401) return new SourceHostError("revoked", cause);
  if (status === 403) return new SourceHostError("no_permission", cause);
  if (status === 404 || status === 410 || status === 451) return new SourceHostError("repository_gone", cause);
  return new SourceHostError("host_invalid", cause);
}

/** Bounded, for a log line and to recognise a refusal. */
export function messageOf(body: unknown): string {
  return body === undefined ? "" : JSON.stringify(body).slice(0, 1_000);
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explain(error: unknown): never {
  const isTooLarge = error instanceof FetchError && error.kind === "too_large";
  throw new SourceHostError(isTooLarge ? "host_invalid" : "host_down", error);
}
