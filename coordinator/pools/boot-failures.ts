/** How a pool's latest machines came up: those that did not hold up further ones, and stop them in the end. Pure. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Pool } from "../domain/pool.ts";
import type { PoolMachine } from "../domain/pool-machine.ts";

/** Rounds of requests in a row without a machine that came up, after which nothing grows until an operator resumes it. */
export const FAILED_ROUNDS_MAX = 5;
const BACKOFF_MS_MIN = 30_000;
const BACKOFF_MS_MAX = 3_600_000;

export interface BootFailures {
  /** In a row. Machines that were requested together are one round. */
  readonly rounds: number;
  /** Null where none has failed. */
  readonly lastReason: string | null;
  /** Nothing grows before. */
  readonly retryAt: Instant;
}

export function bootFailures({ resumedAt }: Pick<Pool, "resumedAt">, machines: readonly PoolMachine[]): BootFailures {
  // What joins unrequested says nothing of the requests.
  const cameUp = machines.filter(({ joinedAt, unrequested }) => joinedAt !== null && unrequested !== true);
  const from = Math.max(resumedAt ?? Number.NEGATIVE_INFINITY, ...cameUp.map(({ requestedAt }) => requestedAt));
  const failed = machines
    .flatMap(({ requestedAt, joinedAt: at, failure }) =>
      failure !== null && at === null ? [{ requestedAt, failure }] : [],
    )
    .filter(({ requestedAt, failure }) => requestedAt > from && failure.at > from);
  const rounds = new Set(failed.map(({ requestedAt }) => requestedAt)).size;
  const last = failed.toSorted((a, b) => b.failure.at - a.failure.at)[0];
  if (last === undefined) return { rounds, lastReason: null, retryAt: Number.NEGATIVE_INFINITY };
  const waitMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** Math.min(rounds - 1, 20));
  return { rounds, lastReason: last.failure.reason, retryAt: last.failure.at + waitMs };
}
