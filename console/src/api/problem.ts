/** A response that refuses: problem details (RFC 9457), or what went wrong on the way. */
import type { components } from "elastic-client/gen/schema.ts";
import { plainSentence } from "../text/plain-sentence.ts";

type ProblemBody = components["schemas"]["Problem"];

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, body: Partial<ProblemBody> | undefined) {
    super(plainSentence(body?.detail ?? `The service responded with ${status}.`));
    this.code = body?.code ?? "unknown";
    this.status = status;
    this.requestId = body?.request_id ?? null;
    this.fields = Object.fromEntries(
      (body?.errors ?? []).map(({ pointer, detail }) => [pointer, plainSentence(detail)]),
    );
  }
}

interface FetchEnd<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a response that succeeded. Throws an ApiError for any other. */
export async function dataOf<T>(call: Promise<FetchEnd<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response.status, error as Partial<ProblemBody> | undefined);
  return data as T;
}

/**
 * What was made just now, with its secret: what an earlier request made is returned without it, and only to one that repeats an
 * Idempotency-Key, which no page does.
 */
export async function madeBy<T, K extends string>(
  call: Promise<FetchEnd<T>>,
  secret: K,
): Promise<Extract<T, Readonly<Record<K, string>>>> {
  const data = await dataOf(call);
  if (!hasSecret(data, secret)) throw new Error("It was made before, and its secret is not shown again.");
  return data;
}

function hasSecret<T, K extends string>(data: T, secret: K): data is Extract<T, Readonly<Record<K, string>>> {
  return typeof data === "object" && data !== null && secret in data;
}

/** For a person. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return "The service cannot be reached. Check your connection; the page tries again.";
  return error instanceof Error ? error.message : String(error);
}
