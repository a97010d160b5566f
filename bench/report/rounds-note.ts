/** What a results file states of the time that was spent, where a row's contenders share it. */
import type { Effort } from "../benchmark/benchmark.ts";

export function roundsNote({ rounds, seconds }: Effort): string {
  return `${count(rounds, "round")} of ${count(seconds, "second")}, which a row's contenders share, each with one call at least: the median over rounds of the median call.`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
