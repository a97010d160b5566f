/**
 * Whether a GPU may be given to a workload. Pure.
 *
 *   healthy ──Xid · lost · memory not freed──▶ quarantined ──free, and passed the self-test──▶ healthy
 *
 * A self-test that fails is made again later, and later each time.
 */
import type { GpuReading } from "./nvml/reading.ts";

export type GpuHealth =
  | { readonly kind: "healthy" }
  | {
      readonly kind: "quarantined";
      /** A sentence. */
      readonly why: string;
      /** When the next self-test is due; monotonic. */
      readonly testAtMs: number;
      readonly testsFailed: number;
      /** Of the newest self-test since; null before the first. */
      readonly testFailure: string | null;
    };

export const HEALTHY: GpuHealth = { kind: "healthy" };

export interface TestTimes {
  /** After the cause, and doubled with each self-test that failed. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The driver keeps a little for itself on a GPU that nobody uses. */
const IDLE_BYTES_MAX = 256 * 1024 ** 2;
/** Where it counts what it reserves as used, that is up to about a hundredth of the largest GPUs. */
const IDLE_WITH_RESERVED_BYTES_MAX = 2 * 1024 ** 3;

/** What happened last is the reason that is reported; what was due stays due. */
export function quarantined(health: GpuHealth, why: string, nowMs: number, times: TestTimes): GpuHealth {
  const testsFailed = health.kind === "quarantined" ? health.testsFailed : 0;
  return { kind: "quarantined", why, testAtMs: nowMs + waitMs(testsFailed, times), testsFailed, testFailure: null };
}

export function isTestDue(health: GpuHealth, nowMs: number): boolean {
  return health.kind === "quarantined" && nowMs >= health.testAtMs;
}

/** `failure` is null for a self-test that was passed. */
export function tested(health: GpuHealth, failure: string | null, nowMs: number, times: TestTimes): GpuHealth {
  if (health.kind === "healthy" || failure === null) return HEALTHY;
  const testsFailed = health.testsFailed + 1;
  const testAtMs = nowMs + waitMs(testsFailed, times);
  return { ...health, testAtMs, testsFailed, testFailure: failure };
}

/** What happened, and why it has not come back since; null for one that may be given out. */
export function whyUnhealthy(health: GpuHealth): string | null {
  if (health.kind === "healthy") return null;
  return health.testFailure === null ? health.why : `${health.why}; its self-test failed: ${health.testFailure}`;
}

/** Why a GPU that nobody should use is not free; null if it is. */
export function whyNotFree({ processes, usedBytes, countsReserved }: GpuReading): string | null {
  const others = processes ?? [];
  if (others.length > 0) {
    const pids = others.slice(0, 8).map(({ pid }) => pid);
    return `it is in use by process ${pids.join(", ")}`;
  }
  if (usedBytes <= (countsReserved ? IDLE_WITH_RESERVED_BYTES_MAX : IDLE_BYTES_MAX)) return null;
  return `${Math.ceil(usedBytes / 1024 ** 2)} MiB of its memory are taken and nobody uses it`;
}

function waitMs(testsFailed: number, { firstMs, longestMs }: TestTimes): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(testsFailed, 30));
}
