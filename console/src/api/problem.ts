/** A response that refuses: problem details (RFC 9457), or what went wrong on the way. */
import type { components } from "elastic-cli/api/gen/schema.ts";
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

/** For a person. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return "The service cannot be reached. Check your connection; the page tries again.";
  return error instanceof Error ? error.message : String(error);
}
