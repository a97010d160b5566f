/** The loads of the benchmark, in addition to saturation. */
import { type Contender, IN_FLIGHT } from "./contender.ts";

/** Tasks a second; the first so few that every peer sustains them on two cores. */
export const RATES: readonly number[] = [20, 100, 500];
const WARM_UP_SECONDS = 2;
/** Times that a load may take longer than it was meant to. */
const LONGER_MAX = 3;

/** Whether a contender that does so many tasks a second when it is saturated ends a load of a rate within that. */
export function canBeLoaded(tasksPerSecond: number, rate: number): boolean {
  return LONGER_MAX * tasksPerSecond >= rate;
}

/** Loads a contender to capacity, so that code is compiled and connections are open; returns its tasks a second. */
export async function warmUp(contender: Pick<Contender, "measure">): Promise<number> {
  const order = { kind: "saturate", what: "task", inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS } as const;
  await contender.measure(order);
  return (await contender.measure(order)).tasksPerSecond;
}
