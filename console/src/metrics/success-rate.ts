/** The share of tasks that succeeded, of those that nobody cancelled. Pure. */
import type { ServiceFigures } from "./metrics-query.ts";

/** Null where none ended. */
export function successRate({ succeeded, failed, timed_out, expired }: ServiceFigures["tasks"]): number | null {
  const ended = succeeded + failed + timed_out + expired;
  return ended === 0 ? null : succeeded / ended;
}

/** Not 100 % as long as one failed. */
export function percentText(share: number): string {
  return `${Math.floor(1000 * share) / 10} %`;
}
