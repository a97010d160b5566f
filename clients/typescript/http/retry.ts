/** Whether a request is sent again after an error, and when. Pure. */
import { ConnectionError } from "../errors/connection-error.ts";
import { ProblemError } from "../errors/problem-error.ts";
import { retryAfterMs } from "./retry-after.ts";

export interface RetryPolicy {
  /** The first one included; 1 never repeats a request. */
  readonly attemptsMax: number;
  /** The first pause; each further one is twice as long. */
  readonly pauseMs: number;
  readonly pauseMsMax: number;
  /** A service that says to wait longer is not waited for. */
  readonly retryAfterMsMax: number;
}

/** About 40 seconds in all: longer than a coordinator takes to be replaced by another. */
export const RETRIES: RetryPolicy = {
  attemptsMax: 10,
  pauseMs: 250,
  pauseMsMax: 8_000,
  retryAfterMsMax: 60_000,
};

const PASSING_STATUSES: readonly number[] = [408, 429, 502, 503, 504];
const PASSING_CODES: readonly string[] = ["idempotency_key_in_flight"];
/** These last until somebody acts. */
const LASTING_CODES: readonly string[] = ["quota_exceeded", "store_changed", "result_corrupt", "source_corrupt"];

export interface Failed {
  readonly error: unknown;
  /** How many attempts were made. */
  readonly attempts: number;
  /** Whether the service treats a second request as it did the first. */
  readonly isRepeatable: boolean;
  /** Of a stream: what it has sent is gone, and a second request would have an empty body. */
  readonly isBodySpent?: boolean;
}

/** Null for an error that is final. `random` is from 0 to 1: clients that failed together do not return together. */
export function retryDelayMs(
  policy: RetryPolicy,
  { error, attempts, isRepeatable, isBodySpent = false }: Failed,
  { random, nowMs }: { readonly random: number; readonly nowMs: number },
): number | null {
  if (attempts >= policy.attemptsMax || isBodySpent || !mayPass(error, isRepeatable)) return null;
  const pauseMs = Math.min(policy.pauseMsMax, policy.pauseMs * 2 ** Math.min(attempts - 1, 30));
  const jitteredMs = pauseMs * (0.5 + random / 2);
  const requestedMs = error instanceof ProblemError ? (retryAfterMs(error.retryAfter, nowMs) ?? 0) : 0;
  return requestedMs > policy.retryAfterMsMax ? null : Math.max(jitteredMs, requestedMs);
}

function mayPass(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ProblemError) || LASTING_CODES.includes(error.code)) return false;
  // With 429 nothing was done.
  if (error.status === 429) return true;
  return isRepeatable && (PASSING_STATUSES.includes(error.status) || PASSING_CODES.includes(error.code));
}
