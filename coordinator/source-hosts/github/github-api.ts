/** Requests to the REST API of GitHub. */
import { boundedFetch, FetchError } from "@elastic/std/net/bounded-fetch.ts";
import type { z } from "zod";
import { githubApi } from "../../login/github.ts";
import { SourceHostError } from "../source-host-error.ts";

const API_VERSION = "2022-11-28";
/** A page of a hundred repositories takes some 700 KB. */
const BYTES_MAX = 4 * 1024 * 1024;
export const HOST_DEADLINE_MS = 10_000;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined for what is no JSON. */
  readonly body: unknown;
}

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH";
  /** Of the API, from its base on. */
  readonly path: string;
  /** A token of the app, of an installation, or of a user. */
  readonly token: string;
  readonly body?: object;
}

export class GithubApi {
  readonly base: string;
  readonly #deadlineMs: number;

  /** `url` is that of the host. */
  constructor(url: string, deadlineMs = HOST_DEADLINE_MS) {
    this.base = githubApi(url);
    this.#deadlineMs = deadlineMs;
  }

  /** Throws `host_down` where GitHub does not respond or limits requests, and `host_invalid` where it sends too much. */
  async send({ method, path, token, body }: ApiRequest): Promise<ApiResponse> {
    const headers = { ...headersOf(token), ...(body !== undefined && { "content-type": "application/json" }) };
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
    if (isLimited(status, headers)) throw new SourceHostError("host_down", new Error(`${url}: requests are limited`));
    const text = await response.text();
    return { status, headers, body: parseOrUndefined(text) };
  }
}

export function headersOf(token: string): Readonly<Record<string, string>> {
  return {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "user-agent": "elastic-proving-service",
    "x-github-api-version": API_VERSION,
  };
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

/** 403 stands for both a missing permission and a rate limit. */
function isLimited(status: number, headers: Headers): boolean {
  return status === 403 && (headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after"));
}

function explain(error: unknown): never {
  const isTooLarge = error instanceof FetchError && error.kind === "too_large";
  throw new SourceHostError(isTooLarge ? "host_invalid" : "host_down", error);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
