/** A computation whose answer is known: Euler's criterion for a generator of bn256's scalar field. */

const MODULUS = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n;
const GENERATOR = 7n;

/** Null where this machine computes as it should. */
export function knownAnswerFailure(): string | null {
  const answer = power(GENERATOR, (MODULUS - 1n) / 2n);
  return answer === MODULUS - 1n ? null : `a known answer came out as ${answer.toString(16)}`;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % MODULUS;
    square = (square * square) % MODULUS;
  }
  return result;
}
