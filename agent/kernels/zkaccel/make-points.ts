/** Many points of bn256, made by the library's own vector operations: two to the so many, doubling them each round. */
import type { Accelerator, Elements, HostMemory } from "./accelerator.ts";
import { add, FQ, G1, LIMBS, multiple, type Point } from "./bn256.ts";

/** The first point is so many times the generator: too many for it, or a later one, to meet what is added to it. */
export const FIRST_MULTIPLE = 1n << 200n;

const ELEMENT_HALVES = 2 * LIMBS;

/** FIRST_MULTIPLE + i times the generator for i < 2^log2; x and y of each in Montgomery form. */
export function makePoints(accelerator: Accelerator, log2: number): HostMemory {
  const n = 2 ** log2;
  const [x, y] = [accelerator.elements(FQ, n), accelerator.elements(FQ, n)];
  const work = [accelerator.elements(FQ, n), accelerator.elements(FQ, n), accelerator.elements(FQ, n)] as const;
  const first = multiple(FIRST_MULTIPLE, G1);
  accelerator.powers(first.x, 1n, x, 1);
  accelerator.powers(first.y, 1n, y, 1);
  let step = G1;
  for (let made = 1; made < n; made *= 2) {
    addToEach(accelerator, [x, y, ...work], step, made);
    step = add(step, step);
  }
  const points = joined(accelerator, accelerator.read(x, n, "montgomery"), accelerator.read(y, n, "montgomery"));
  accelerator.free(x, y, ...work);
  return points;
}

type Arrays = readonly [x: Elements, y: Elements, a: Elements, slope: Elements, c: Elements];

/** Puts the sums of a point and each of the first `n` behind these, by the chord through both. */
function addToEach(accelerator: Accelerator, [x, y, a, slope, c]: Arrays, { x: px, y: py }: Point, n: number): void {
  const fill = (out: Elements, value: bigint): void => accelerator.powers(value, 1n, out, n);
  fill(a, px);
  accelerator.apply("subtract", a, x, a, n);
  accelerator.invert(a, n);
  fill(slope, py);
  accelerator.apply("subtract", slope, y, slope, n);
  accelerator.apply("multiply", slope, a, slope, n);
  // The sum's x: the slope's square, less x of both.
  accelerator.apply("multiply", slope, slope, a, n);
  accelerator.apply("subtract", a, x, a, n);
  fill(c, px);
  accelerator.apply("subtract", a, c, a, n);
  // The sum's y: down the slope from the point that was there.
  accelerator.apply("subtract", x, a, c, n);
  accelerator.apply("multiply", c, slope, c, n);
  accelerator.apply("subtract", c, y, c, n);
  accelerator.append(x, n, a, n);
  accelerator.append(y, n, c, n);
}

/** x and y of each next to one another, as the library takes points. */
function joined(accelerator: Accelerator, x: BigUint64Array, y: BigUint64Array): HostMemory {
  const points = accelerator.hostMemory(x.length * 2);
  const [from, next, to] = [halves(x), halves(y), halves(points.words)];
  for (let at = 0; at < from.length; at++) {
    const place = 2 * at - (at % ELEMENT_HALVES);
    to[place] = from[at] ?? 0;
    to[place + ELEMENT_HALVES] = next[at] ?? 0;
  }
  return points;
}

/** Limbs in two: plain numbers move several times faster than big ones. */
function halves(words: BigUint64Array): Uint32Array {
  return new Uint32Array(words.buffer, words.byteOffset, words.length * 2);
}
