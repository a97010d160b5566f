/** How fast a device is at what most of a prover's time goes into. One size for all devices, so that they compare. */
import type { Accelerator } from "./accelerator.ts";
import { FR, FR_GENERATOR, power } from "./bn256.ts";
import { makePoints } from "./make-points.ts";

/** Two to this many points, and elements: a size that proofs have, and large enough for a GPU to show what it can. */
export const BENCHMARK_SIZE_LOG2 = 20;

export interface Speed {
  /** Of bn256, in a sum of multiples by scalars of full size. */
  readonly msmPointsPerSecond: number;
  /** Of its field of scalars, in a transform. */
  readonly nttElementsPerSecond: number;
}

export interface BenchmarkOptions {
  readonly log2: number;
  /** How long each figure is measured at least. */
  readonly seconds: number;
  /** Receives what is being done. */
  readonly report: (doing: string) => void;
}

/** Of an odd number of runs the median counts. */
const RUNS_MIN = 3;

export function measure(accelerator: Accelerator, { log2, seconds, report }: BenchmarkOptions): Speed {
  const n = 2 ** log2;
  report(`makes 2^${log2} points`);
  const scalars = accelerator.elements(FR, n);
  // Powers of an element are as good as random, and the same everywhere.
  accelerator.powers(1n, power(FR, FR_GENERATOR, 1n << 200n), scalars, n);
  const multiply = accelerator.multiplier(makePoints(accelerator, log2), n);
  const perSecond = (what: string, act: () => void): number =>
    Math.round(
      n / medianSeconds(act, seconds, (spent) => report(`${what}, ${Math.min(spent, seconds)} of ${seconds} s`)),
    );
  const msmPointsPerSecond = perSecond("multiplies", () => multiply(scalars));
  const transform = accelerator.transformer(log2);
  return { msmPointsPerSecond, nttElementsPerSecond: perSecond("transforms", () => transform(scalars)) };
}

/** After one run that does not count: it takes memory for the first time. `report` is called each full second. */
function medianSeconds(act: () => void, secondsMin: number, report: (spent: number) => void): number {
  report(0);
  act();
  const runs: number[] = [];
  let spent = 0;
  while (runs.length < RUNS_MIN || spent < secondsMin || runs.length % 2 === 0) {
    const began = performance.now();
    act();
    const seconds = (performance.now() - began) / 1000;
    if (Math.floor(spent + seconds) > Math.floor(spent)) report(Math.floor(spent + seconds));
    spent += seconds;
    runs.push(seconds);
  }
  return runs.sort((a, b) => a - b)[(runs.length - 1) / 2] ?? Number.NaN;
}
