/**
 * bn256 (BN254, alt_bn128) in Node's own integers, slow and plain: what the acceleration library is compared with.
 * [EIP-196]
 */

export interface Field {
  /** A `zka_field`. */
  readonly id: number;
  readonly modulus: bigint;
}

/** Orders the curve's points: the field of scalars and of transforms. */
export const FR: Field = { id: 0, modulus: 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n };
/** The field of the points' coordinates. */
export const FQ: Field = { id: 1, modulus: 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n };
/** Generates all of FR but zero. */
export const FR_GENERATOR = 7n;

/** On y^2 = x^3 + 3 over FQ, and never the identity here. */
export interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

export const G1: Point = { x: 1n, y: 2n };

/** Of 64 bits, in an element. */
export const LIMBS = 4;
const MONTGOMERY_BITS = 256n;

export function power({ modulus }: Field, base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** Of a value that is not zero, by Fermat. */
export function inverse(field: Field, value: bigint): bigint {
  return power(field, value, field.modulus - 2n);
}

/** Of order 2^log2: the root that the library takes of itself. */
export function rootOfUnity(log2: number): bigint {
  return power(FR, FR_GENERATOR, (FR.modulus - 1n) >> BigInt(log2));
}

/** As the library keeps it: times 2^256. */
export function montgomery({ modulus }: Field, value: bigint): bigint {
  return (value << MONTGOMERY_BITS) % modulus;
}

/** Elements as the library has them in memory: limbs of 64 bits, the least significant first. */
export function limbs(values: readonly bigint[]): BigUint64Array {
  return BigUint64Array.from(
    values.flatMap((value) =>
      Array.from({ length: LIMBS }, (_, limb) => BigInt.asUintN(64, value >> BigInt(64 * limb))),
    ),
  );
}

/** Of points whose sum is not the identity. */
export function add(a: Point, b: Point): Point {
  const { modulus } = FQ;
  const isDouble = a.x === b.x;
  const rise = isDouble ? 3n * a.x * a.x : modulus + b.y - a.y;
  const run = isDouble ? 2n * a.y : modulus + b.x - a.x;
  const slope = (rise * inverse(FQ, run % modulus)) % modulus;
  const x = reduced(slope * slope - a.x - b.x);
  return { x, y: reduced(slope * (a.x - x) - a.y) };
}

/** Times a factor from 1 to the order of the curve less 1. */
export function multiple(factor: bigint, point: Point): Point {
  let result = point;
  for (const bit of factor.toString(2).slice(1)) {
    result = add(result, result);
    if (bit === "1") result = add(result, point);
  }
  return result;
}

/** Modulo the field of coordinates, where JavaScript's remainder may be negative. */
function reduced(value: bigint): bigint {
  const rest = value % FQ.modulus;
  return rest < 0n ? rest + FQ.modulus : rest;
}
