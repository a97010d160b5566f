/** A week of requests, drawn from a seed: more by day than by night, fewer at the weekend, and bursts. */
import { type Random, randomOf } from "@elastic/test/simulation/random.ts";

export const WEEK_MS = 7 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export interface Arrival {
  readonly at: number;
  /** Which of the services. */
  readonly service: number;
  readonly runMs: number;
}

/** GPUs of a workload, and how long its proofs take. */
export const KINDS = [
  { gpus: 1, medianRunMs: 100_000, tasksPerDay: 2_400 },
  { gpus: 2, medianRunMs: 420_000, tasksPerDay: 60 },
] as const;

const BURSTS_PER_DAY = 3;

/** In order of time. */
export function drawTraffic(seed: number): readonly Arrival[] {
  const random = randomOf(seed, "traffic");
  const arrivals: Arrival[] = [];
  for (let at = 0; at < WEEK_MS; at += MINUTE_MS) {
    for (const [service, kind] of KINDS.entries()) {
      const perMinute = (kind.tasksPerDay / 1440) * rateAt(at);
      for (let count = poisson(random, perMinute); count > 0; count--) {
        arrivals.push({ at: at + random.next() * MINUTE_MS, service, runMs: runOf(random, kind.medianRunMs) });
      }
    }
    if (!random.chance(BURSTS_PER_DAY / 1440)) continue;
    // Somebody sends a batch within half a minute.
    const size = 40 + random.below(160);
    for (let one = 0; one < size; one++) {
      arrivals.push({ at: at + random.next() * 30_000, service: 0, runMs: runOf(random, KINDS[0].medianRunMs) });
    }
  }
  return arrivals.sort((a, b) => a.at - b.at);
}

/** Of the mean over a working day: most at two in the afternoon. */
function rateAt(at: number): number {
  const hour = (at / HOUR_MS) % 24;
  const isWeekend = Math.floor(at / HOUR_MS / 24) % 7 >= 5;
  const ofDay = 1 + 0.9 * Math.cos(((hour - 14) / 24) * 2 * Math.PI);
  return isWeekend ? 0.4 * ofDay : ofDay;
}

/** Log-normal: most are near the median, and some take three times as long. */
function runOf(random: Random, medianMs: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return medianMs * Math.exp(0.5 * normal);
}

/** By Knuth; the means here are small. */
function poisson(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count += 1;
  return count;
}
