/** The self-test that a GPU in quarantine has to pass. */
import type { AccelLibrary } from "../accel/accel-library.ts";
import { FR, FR_GENERATOR, power } from "../kernels/accel/bn256.ts";

/** Null when it was passed, else why not. */
export type SelfTest = (gpuUuid: string) => Promise<string | null>;

/** The acceleration library's. Without one the processor computes: that tests the way to here, and not the GPU. */
export function selfTestWith(library: Pick<AccelLibrary, "selfTest"> | null): SelfTest {
  return library === null ? async () => ownFailure() : (gpuUuid) => library.selfTest(gpuUuid);
}

/** By Euler's criterion for a generator. */
function ownFailure(): string | null {
  const answer = power(FR, FR_GENERATOR, (FR.modulus - 1n) / 2n);
  return answer === FR.modulus - 1n ? null : `a known answer came out as ${answer.toString(16)}`;
}
