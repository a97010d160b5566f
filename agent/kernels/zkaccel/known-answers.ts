/**
 * The self-test: a transform, inverses and a sum of multiples, large enough to keep a GPU busy all over, whose answers
 * are known in closed form. They are compared limb for limb with what Node's own integers say.
 */
import type { Accelerator } from "./accelerator.ts";
import { FQ, FR, FR_GENERATOR, G1, inverse, LIMBS, limbs, montgomery, multiple, power, rootOfUnity } from "./bn256.ts";
import { FIRST_MULTIPLE, makePoints } from "./make-points.ts";

/** Two to this many elements, and points. */
const TEST_SIZE_LOG2 = 14;

/** What the library returns, in its limbs. */
export interface Answers {
  /** The transform of 1, 7, 7^2 and so on, canonical. */
  readonly transformed: BigUint64Array;
  /** The inverses of 1, 7, 7^2 and so on, canonical. */
  readonly inverted: BigUint64Array;
  /** The sum of 7^i times the point i: x and y, in Montgomery form. */
  readonly sum: BigUint64Array;
}

export function queryLibrary(accelerator: Accelerator, log2: number = TEST_SIZE_LOG2): Answers {
  const n = 2 ** log2;
  const powers = accelerator.elements(FR, n);
  accelerator.powers(1n, FR_GENERATOR, powers, n);
  const sum = accelerator.multiplier(makePoints(accelerator, log2), n)(powers)();
  accelerator.transformer(log2)(powers);
  const transformed = accelerator.read(powers, n, "canonical");
  accelerator.powers(1n, FR_GENERATOR, powers, n);
  accelerator.invert(powers, n);
  return { transformed, inverted: accelerator.read(powers, n, "canonical"), sum };
}

/** The same in Node's own integers. */
export function knownAnswers(log2: number = TEST_SIZE_LOG2): Answers {
  const n = 2 ** log2;
  return { transformed: limbs(knownTransform(n)), inverted: limbs(knownInverses(n)), sum: knownSum(n) };
}

/** What is wrong with the answers, in a sentence; null where every limb of them is right. */
export function whatIsWrong(answers: Answers, known: Answers): string | null {
  const wrong = [
    ...differences("values of the transform", answers.transformed, known.transformed),
    ...differences("inverses", answers.inverted, known.inverted),
    ...differences("coordinates of the sum of multiples", answers.sum, known.sum),
  ];
  return wrong.length === 0 ? null : wrong.join("; ");
}

function differences(what: string, answer: BigUint64Array, known: BigUint64Array): readonly string[] {
  const elements = Array.from({ length: known.length / LIMBS }, (_, element) => element);
  const wrong = elements.filter((element) => {
    const words = Array.from({ length: LIMBS }, (_, limb) => element * LIMBS + limb);
    return words.some((word) => answer[word] !== known[word]);
  });
  if (wrong.length === 0) return [];
  const are = wrong.length === 1 ? "is" : "are";
  return [`${wrong.length} of ${elements.length} ${what} ${are} wrong, first number ${wrong[0]}`];
}

/** A geometric series at each power w^k of the root: (7^n - 1) / (7 w^k - 1). */
function knownTransform(n: number): readonly bigint[] {
  const root = rootOfUnity(Math.log2(n));
  const above = power(FR, FR_GENERATOR, BigInt(n)) - 1n;
  const below = powersOf(root, n).map((at) => ((FR_GENERATOR * at) % FR.modulus) - 1n);
  return inverses(below).map((one) => (above * one) % FR.modulus);
}

function knownInverses(n: number): readonly bigint[] {
  return powersOf(inverse(FR, FR_GENERATOR), n);
}

/** Of points that are multiples of one: that one times the sum of 7^i (FIRST_MULTIPLE + i). */
function knownSum(n: number): BigUint64Array {
  const factor = powersOf(FR_GENERATOR, n).reduce((sum, scalar, i) => sum + scalar * (FIRST_MULTIPLE + BigInt(i)), 0n);
  const { x, y } = multiple(factor % FR.modulus, G1);
  return limbs([montgomery(FQ, x), montgomery(FQ, y)]);
}

/** 1, base, base^2 and so on, in FR. */
function powersOf(base: bigint, n: number): readonly bigint[] {
  let next = 1n;
  return Array.from({ length: n }, () => {
    const power = next;
    next = (next * base) % FR.modulus;
    return power;
  });
}

/** Of values of FR that are not zero, at the cost of one. */
function inverses(values: readonly bigint[]): readonly bigint[] {
  const before = [1n];
  for (const value of values) before.push(((before.at(-1) ?? 1n) * value) % FR.modulus);
  let rest = inverse(FR, before.at(-1) ?? 1n);
  const inverted: bigint[] = [];
  for (const [index, value] of [...values.entries()].reverse()) {
    inverted.push((rest * (before[index] ?? 1n)) % FR.modulus);
    rest = (rest * value) % FR.modulus;
  }
  return inverted.reverse();
}
