/** A peer takes part as it is fastest on this machine: which number of workers that is differs with the disk and the cores. */
import { median } from "../measure/statistics.ts";
import { type Contender, IN_FLIGHT, WORKERS_AT_A_TIME } from "./contender.ts";

const WORKERS_TRIED = [4, 16, WORKERS_AT_A_TIME];
const TRIES = 3;
const TRY_SECONDS = 1;

/** The fastest of the contenders that `start` makes with so many workers; the others are stopped. */
export async function fastest(start: (workers: number) => Promise<Contender>): Promise<Contender> {
  const tried: { readonly contender: Contender; readonly tasksPerSecond: number }[] = [];
  for (const workers of WORKERS_TRIED) {
    const contender = await start(workers);
    tried.push({ contender, tasksPerSecond: await speedOf(contender) });
  }
  const [best, ...others] = tried.toSorted((a, b) => b.tasksPerSecond - a.tasksPerSecond);
  for (const { contender } of others) await contender.stop();
  if (best === undefined) throw new Error("no number of workers was tried");
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
