/** The self-test that a GPU in quarantine has to pass. */
import type { Logger } from "@elastic/std/log.ts";
import type { SelfTest } from "../gpus/gpu-keeper.ts";
import { FR, FR_GENERATOR, power } from "../kernels/zkaccel/bn256.ts";
import type { AccelLibrary } from "./accel-library.ts";

/**
 * The acceleration library's. Without one, or where that can use no such GPU, the processor computes: a GPU is no worse
 * off for a library than without one.
 */
export function selfTestWith(library: Pick<AccelLibrary, "selfTest"> | null, log: Pick<Logger, "warn">): SelfTest {
  if (library === null) return async () => ownFailure();
  return async (gpuUuid) => {
    const { failure, insteadOfGpu } = await library.selfTest(gpuUuid);
    if (insteadOfGpu !== null)
      log.warn({ gpu: gpuUuid, why: insteadOfGpu }, "a GPU was not tested itself: the processor computed in its place");
    return failure;
  };
}

/** Of the processor alone, by Euler's criterion for a generator. */
export function ownFailure(): string | null {
  const answer = power(FR, FR_GENERATOR, (FR.modulus - 1n) / 2n);
  return answer === FR.modulus - 1n ? null : `a known answer came out as ${answer.toString(16)}`;
}
