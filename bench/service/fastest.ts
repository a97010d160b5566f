/** A peer takes part as it is fastest on this machine: with which settings that is differs with the disk and the cores. */
import { median } from "../measure/statistics.ts";
import { type Contender, IN_FLIGHT, WORKERS_AT_A_TIME } from "./contender.ts";

/** Numbers of tasks that a peer's workers take at a time. */
export const WORKERS_TRIED: readonly number[] = [4, 16, WORKERS_AT_A_TIME];

const TRIES = 3;
const TRY_SECONDS = 1;

/** The fastest of the contenders; the others are stopped. What each does is logged. */
export async function fastest(
  candidates: readonly (() => Promise<Contender>)[],
  log: (text: string) => void,
): Promise<Contender> {
  let best: { readonly contender: Contender; readonly tasksPerSecond: number } | null = null;
  for (const start of candidates) {
    const contender = await start();
    const tasksPerSecond = await speedOf(contender);
    log(`tried  ${contender.name}, ${contender.settings}: ${Math.round(tasksPerSecond)} tasks/s`);
    if (best !== null && best.tasksPerSecond >= tasksPerSecond) {
      await contender.stop();
    } else {
      await best?.contender.stop();
      best = { contender, tasksPerSecond };
    }
  }
  if (best === null) throw new Error("no settings were tried");
  return best.contender;
}

async function speedOf(contender: Contender): Promise<number> {
  const speeds: number[] = [];
  for (let round = 0; round <= TRIES; round += 1) {
    const order = { kind: "saturate", what: "task", inFlight: IN_FLIGHT, seconds: TRY_SECONDS } as const;
    speeds.push((await contender.measure(order)).tasksPerSecond);
  }
  // The first only warmed it up.
  return median(speeds.slice(1));
}
