/** Reads with a valid key, one after the other, from a coordinator whose store is being broken. */
import { setTimeout as delay } from "node:timers/promises";
import { until } from "@elastic/deploy/local/until.ts";
import type { ApiClient } from "../cluster/api-client.ts";

const EVERY_MS = 20;
const CALL_TIMEOUT_MS = 20_000;
const SERVED_IN_A_ROW = 100;
const SERVED_TIMEOUT_MS = 60_000;

interface Availability {
  /** Other than 200. */
  readonly statuses: ReadonlySet<number>;
  /** Between two reads that were served. */
  readonly longestGapMs: number;
}

export interface Reader {
  /** Resolves once a hundred reads from now on were served without one in between that was not. */
  servedAgain(): Promise<void>;
  stop(): Promise<Availability>;
}

export function startReader(client: ApiClient): Reader {
  const stopping = new AbortController();
  const statuses = new Set<number>();
  let longestGapMs = 0;
  let servedAtMs = performance.now();
  let inARow = 0;
  const reading = (async () => {
    while (!stopping.signal.aborted) {
      const { status } = await client.call("/v1/services", { timeoutMs: CALL_TIMEOUT_MS });
      if (status === 200) {
        const nowMs = performance.now();
        longestGapMs = Math.max(longestGapMs, nowMs - servedAtMs);
        servedAtMs = nowMs;
        inARow += 1;
      } else {
        statuses.add(status);
        inARow = 0;
      }
      await delay(EVERY_MS);
    }
  })();
  return {
    async servedAgain() {
      inARow = 0;
      const look = () => (inARow >= SERVED_IN_A_ROW ? true : undefined);
      await until("a hundred served reads", look, { timeoutMs: SERVED_TIMEOUT_MS });
    },
    async stop() {
      stopping.abort();
      await reading;
      return { statuses, longestGapMs };
    },
  };
}
